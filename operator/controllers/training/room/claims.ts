import {
  type Amounts,
  type CapacityAnswer,
  type GivingGang,
  gangOrder,
  type NodeRoom,
  type PodNeeds,
  type QueuedGang,
} from '../ports/capacity.js';
import { placesFor } from './places.js';

/** A job that is to get room before those of a lower priority. */
export interface Claim {
  readonly gang: QueuedGang;
  /** Jobs of a lower priority that go on with `minWorkers` for it. Empty if it needs none of them. */
  readonly from: readonly GivingGang[];
}

/**
 * The claim that comes first: that of the highest priority, then of the oldest job. A job that does not fit even with all
 * that jobs of a lower priority can give has none, because nobody would gain by it.
 */
export function claimIn({ nodes, queued = [], giving = [] }: CapacityAnswer): Claim | undefined {
  const order = queued.toSorted((a, b) => b.priority - a.priority || compared(a, b));
  for (const gang of order) {
    const from = sourcesFor(gang, nodes, giving);
    if (from) return { gang, from };
  }
  return undefined;
}

/** The youngest job of the lowest priority gives first. Undefined if all together are not enough. */
function sourcesFor(
  gang: QueuedGang,
  nodes: readonly NodeRoom[],
  giving: readonly GivingGang[],
): readonly GivingGang[] | undefined {
  const lower = giving.filter(({ priority }) => priority < gang.priority);
  const order = lower.toSorted((a, b) => a.priority - b.priority || compared(b, a));
  const counts = Array.from({ length: order.length + 1 }, (_, count) => count);
  const count = counts.find((some) => fits(gang, nodes, order.slice(0, some)));
  if (count === undefined) return undefined;
  // What an earlier one gives may be on a node that is of no use.
  return order.slice(0, count).reduce<readonly GivingGang[]>(
    (from, one) => {
      const others = from.filter((other) => other !== one);
      return fits(gang, nodes, others) ? others : from;
    },
    order.slice(0, count),
  );
}

function compared(a: QueuedGang | GivingGang, b: QueuedGang | GivingGang): number {
  return gangOrder(a).localeCompare(gangOrder(b));
}

function fits({ needs, workers }: QueuedGang, nodes: readonly NodeRoom[], from: readonly GivingGang[]): boolean {
  const gives = from.flatMap((one) => one.gives);
  return hasRoomFor({ needs, workers }, nodes, gives);
}

/** True if the nodes can run so many Pods. Those that are being deleted count as gone: their room comes in seconds. */
export function hasRoomFor(
  { needs, workers }: { readonly needs: PodNeeds; readonly workers: number },
  nodes: readonly NodeRoom[],
  gives: GivingGang['gives'] = [],
): boolean {
  const later = nodes.map((node) => ({
    ...node,
    free: [
      node.leaving ?? {},
      ...gives.flatMap((one) => (one.node === node.name ? [withPod(one.requests)] : [])),
    ].reduce(sum, node.free),
  }));
  return placesFor({ ...needs, avoid: [] }, later, workers) >= workers;
}

const withPod = (requests: Amounts): Amounts => ({ ...requests, pods: 1 });

/** Of the resources that the first has: a node has no others. */
function sum(free: Amounts, more: Amounts): Amounts {
  return Object.fromEntries(Object.entries(free).map(([name, amount]) => [name, amount + (more[name] ?? 0)]));
}
