import type { System } from '../../operator/controllers/system.js';
import { mergedOrder } from './logic/merged-order.js';
import { conditionOf } from './logic/presence.js';
import { type Entry, treeOf } from './logic/tree.js';
import { type Sample, samplesOf } from './samples.js';
import type { ChartValue } from './values/value.js';

/** All objects that the chart can render, and what it refuses. */
export interface ChartObjects {
  readonly objects: readonly Entry[];
  readonly refusals: readonly Refusal[];
}

/** A combination that `OperatorInstall` refuses. */
export interface Refusal {
  readonly message: string;
  readonly settings: readonly string[];
  /** The system with which it is refused. Undefined for every system. */
  readonly system: string | undefined;
}

/** Merges what `OperatorInstall` renders for each system and each setting. */
export function chartObjects(
  values: readonly ChartValue[],
  systems: readonly Pick<System, 'name' | 'controllers'>[],
): ChartObjects {
  const samples = samplesOf(values, systems);
  const rendered = samples.filter(({ problems }) => problems.length === 0);
  const keys = mergedOrder(rendered.map(({ objects }) => [...objects.keys()]));
  const objects = keys.map((key): Entry => {
    const seen = rendered.flatMap((at) => {
      const value = at.objects.get(key);
      return value === undefined ? [] : [{ at, value }];
    });
    const condition = conditionOf(
      seen.map(({ at }) => at),
      rendered,
    );
    return { key, condition, tree: treeOf(seen, key) };
  });
  return { objects, refusals: refusalsIn(samples, systems.length) };
}

function refusalsIn(samples: readonly Sample[], systems: number): readonly Refusal[] {
  const all = samples.flatMap(({ settings, system, problems }) =>
    problems.map((message) => ({ message, settings, system })),
  );
  const isCommon = ({ message, settings }: Refusal) =>
    all.filter((one) => one.message === message && one.settings.join() === settings.join()).length === systems;
  const refusals = all.map((one) => (isCommon(one) ? { ...one, system: undefined } : one));
  const isKnown = (one: Refusal, earlier: readonly Refusal[]) =>
    earlier.some(
      ({ message, settings, system }) =>
        message === one.message && system === one.system && settings.every((name) => one.settings.includes(name)),
    );
  return refusals
    .toSorted((a, b) => a.settings.length - b.settings.length)
    .filter((one, index, sorted) => !isKnown(one, sorted.slice(0, index)));
}
