import { setFlagsFromString } from 'node:v8';

// The HTTP library parses answers with a small WebAssembly module. Optimizing that takes V8 33 MiB for a moment, which is
// a third of what the operator ever needs, and makes no request cheaper: see docs/performance.md.
setFlagsFromString('--liftoff-only');
