import { algorithm } from './algorithm.js';
import type { Kind } from './schema/index.js';

export { algorithm, algorithmSpec, algorithmStatus } from './algorithm.js';
export * from './schema/index.js';

/** Every kind of this package. */
export const kinds: readonly Kind[] = [algorithm];
