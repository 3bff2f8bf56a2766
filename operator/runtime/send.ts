import type { LiveObject } from './object.js';

/**
 * Sends a write of one object; resolves to it as it is now, or to undefined when it is gone.
 * @param known what is known under a version of it by then: the watch may be faster than the answer
 */
export type Send = (known: (resourceVersion: string) => LiveObject | undefined) => Promise<LiveObject | undefined>;
