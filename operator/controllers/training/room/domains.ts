import type { NodeRoom } from '../ports/capacity.js';
import { type Demand, nodesByLabel, placesFor } from './places.js';

/** Nodes with one value of the label by which all workers of a job stay together. */
export interface Domain {
  readonly value: string;
  /** The number of Pods of the job for which the nodes have room. */
  readonly places: number;
}

/**
 * The domain for so many Pods: of those that are large enough the smallest, so that larger ones stay free for larger jobs.
 * If none is, the largest. Undefined if no node that suits has the label, or if the Pods need not stay together.
 */
export function domainFor(demand: Demand, nodes: readonly NodeRoom[], count: number): Domain | undefined {
  const { topologyKey, ...ofOne } = demand;
  if (topologyKey === undefined) return undefined;
  const domains = [...nodesByLabel(topologyKey, nodes)]
    .map(([value, some]) => ({ value, places: placesFor(ofOne, some, Number.MAX_SAFE_INTEGER) }))
    .toSorted((a, b) => (a.value < b.value ? -1 : 1));
  const [smallest, ...others] = domains.filter(({ places }) => places >= count);
  if (smallest) return others.reduce((best, one) => (one.places < best.places ? one : best), smallest);
  const some = domains.filter(({ places }) => places > 0);
  return some.reduce<Domain | undefined>((best, one) => (best && best.places >= one.places ? best : one), undefined);
}

/** The demand of Pods that have their domain already. */
export function within({ topologyKey, podTemplate, ...demand }: Demand, value: string): Demand {
  if (topologyKey === undefined) return { podTemplate, ...demand };
  const nodeSelector = { ...podTemplate?.nodeSelector, [topologyKey]: value };
  return { ...demand, podTemplate: { ...podTemplate, nodeSelector } };
}
