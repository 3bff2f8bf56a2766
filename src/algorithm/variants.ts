import type { AlgorithmSpec } from '../../imports/index.js';
import { suffixedName } from '../manifest/names.js';

/** A group of requests that always reach the version on trial. */
export interface Variant {
  readonly name: string;
  /** The Service for these requests, so that they are counted separately. */
  readonly service: string;
  /** Headers that a request must have, by their names in lower case. */
  readonly header: Readonly<Record<string, string>>;
}

/** The variants of an Algorithm. @param owner name of the Algorithm */
export function variantsOf(owner: string, { lifecycle }: Pick<AlgorithmSpec, 'lifecycle'>): readonly Variant[] {
  const variants = lifecycle?.variants ?? [];
  return variants.map(({ name, match }) => ({ name, service: variantName(owner, name), header: match.header }));
}

function variantName(owner: string, variant: string): string {
  return suffixedName(owner, `trial-${variant}`);
}
