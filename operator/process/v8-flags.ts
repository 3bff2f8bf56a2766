import { setFlagsFromString } from 'node:v8';

// The HTTP library parses answers with a small WebAssembly module. Optimizing that takes V8 33 MiB for a moment, which is
// a third of what the operator ever needs, and makes no request cheaper: see docs/maintaining/performance.md.
setFlagsFromString('--liftoff-only');

// A heap that was small when it was last cleared may grow to four times that before it is cleared again; here to 1.8
// times. That is a third less memory at the peak. Less than 1.8 costs more CPU than there is to spare: see docs/maintaining/performance.md.
setFlagsFromString('--heap-growing-percent=80');

// Optimized functions take in fewer of the functions that they call: an operator lives from many small ones that are called a
// few thousand times, and making them one costs more than it gives. A twelfth less CPU for creates: see docs/maintaining/performance.md.
setFlagsFromString('--max-inlined-bytecode-size-cumulative=300');
setFlagsFromString('--max-inlined-bytecode-size=150');
