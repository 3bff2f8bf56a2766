import type { Sample } from './exposition.js';
import type { Pod } from './pods.js';

/** What some pods are asked. */
export interface ScrapeRequest {
  readonly namespace: string;
  readonly pods: readonly Pod[];
  readonly port: number;
  /** The names of the samples that are wanted, and no others. */
  readonly metrics: ReadonlySet<string>;
  /** Of samples that have a label `service`, those of these values alone. @default - it does not matter */
  readonly services?: ReadonlySet<string>;
}

/** What a pod told, and when, in milliseconds since 1970; or why it did not. */
export type ScrapeResult = { readonly samples: readonly Sample[]; readonly at: number } | { readonly why: string };

/**
 * Knows what pods tell: each that was asked for, by its UID.
 * @throws {Error} when nobody can be asked at all
 */
export type Scraper = (inquest: ScrapeRequest, signal: AbortSignal) => Promise<ReadonlyMap<string, ScrapeResult>>;
