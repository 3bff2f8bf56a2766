import type { LiveNode } from './kinds.js';

/** The label of a node's zone. */
export const zoneLabel = 'topology.kubernetes.io/zone';
/** How many zones the tests take. */
const zonesNeeded = 3;

/** What is wrong with the nodes of a cluster for these tests; undefined when nothing is. */
export function zoneProblem(nodes: readonly LiveNode[]): string | undefined {
  const ready = nodes.filter(({ status }) => status?.conditions?.some(isReady));
  const zones = new Set(ready.flatMap(({ metadata }) => metadata.labels?.[zoneLabel] ?? []));
  if (zones.size >= zonesNeeded) return undefined;
  return `the e2e tests take ready nodes in ${zonesNeeded} zones, got ${zones.size}: label the nodes with ${zoneLabel}`;
}

function isReady({ type, status }: { readonly type: string; readonly status: string }): boolean {
  return type === 'Ready' && status === 'True';
}

/** The place of a node among all, in the order of their names, from 1: what the command for their power calls it. */
export function placeOf(node: string, nodes: readonly LiveNode[]): number {
  const names = nodes.map(({ metadata }) => metadata.name).sort();
  const place = names.indexOf(node) + 1;
  if (place > 0) return place;
  throw new Error(`there is no node ${node}: there are ${names.join(', ')}`);
}
