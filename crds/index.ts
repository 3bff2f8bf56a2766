import { algorithm } from './algorithm.js';
import type { Kind } from './schema/index.js';

export { algorithmStatus } from './algorithm/status.js';
export { algorithm, algorithmSpec } from './algorithm.js';
export * from './schema/index.js';

/** Every kind of this package. */
export const kinds: readonly Kind[] = [algorithm];
