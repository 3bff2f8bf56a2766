#!/usr/bin/env node
import { runProgram } from './program.js';

// kubectl finds a plug-in by its name on the PATH, and starts it with the arguments after that name.
await runProgram('kubectl reconstruct', process.argv.slice(2));
