import { setFlagsFromString } from 'node:v8';

// The HTTP library parses responses with a small WebAssembly module. Optimizing it takes V8 33 MiB for a moment, which
// is a third of the operator's peak, and makes no request cheaper: see docs/maintaining/performance.md.
setFlagsFromString('--liftoff-only');

// By default a heap that was small after a collection may grow to four times its size before the next one. Here it may
// grow to 1.8 times, which saves a third of the peak memory. A lower factor costs too much CPU: see
// docs/maintaining/performance.md.
setFlagsFromString('--heap-growing-percent=80');

// Optimized functions inline fewer of the functions that they call. An operator has many small functions that are
// called a few thousand times, and inlining them costs more than it saves. Creates take a twelfth less CPU: see
// docs/maintaining/performance.md.
setFlagsFromString('--max-inlined-bytecode-size-cumulative=300');
setFlagsFromString('--max-inlined-bytecode-size=150');
