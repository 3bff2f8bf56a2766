#!/usr/bin/env node
import { completionRequest } from './completion/protocol.js';
import { runProgram } from './program.js';

// The completion of kubectl starts `kubectl_complete-reconstruct` with the words after the name of the plug-in.
await runProgram('kubectl reconstruct', [completionRequest, ...process.argv.slice(2)]);
