import type { Sample } from './exposition.js';
import type { Pod } from './pods.js';

/** The samples to read from some Pods. */
export interface ScrapeRequest {
  readonly namespace: string;
  readonly pods: readonly Pod[];
  readonly port: number;
  /** The names of the samples to return. */
  readonly metrics: ReadonlySet<string>;
  /** Only samples with these values of the label `service`, or without that label. @default - all samples */
  readonly services?: ReadonlySet<string>;
}

/** The samples of a Pod and their time, in milliseconds since 1970; or why there are none. */
export type ScrapeResult = { readonly samples: readonly Sample[]; readonly at: number } | { readonly why: string };

/**
 * Returns a result for each requested Pod, by its UID.
 * @throws {Error} if no Pod can be polled
 */
export type Scraper = (inquest: ScrapeRequest, signal: AbortSignal) => Promise<ReadonlyMap<string, ScrapeResult>>;
