#!/usr/bin/env node
import { runProgram } from './program.js';

await runProgram('reconstruct', process.argv.slice(2));
