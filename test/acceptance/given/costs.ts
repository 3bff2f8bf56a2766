import { expect, vi } from 'vitest';
import { algorithmKind } from '../../../imports/index.js';
import type { LiveObject, ObjectKind } from '../../../operator/index.js';
import { Audit, quiet } from './audit.js';
import type { OperatorProcess } from './operator.js';
import type { Site } from './site.js';

/** What an act costs: requests by verb and resource, and passes. */
export interface Costs {
  readonly requests: Readonly<Record<string, number>>;
  readonly passes: number;
}

/** What the operator asked of the API server from an act on until all is quiet, counted, and the passes it made. */
export async function costsOf(site: Site, operator: OperatorProcess, act: () => Promise<unknown>): Promise<Costs> {
  const audit = await Audit.from(site.controlPlane);
  const before = await operator.passes();
  await act();
  await quiet(site.controlPlane, site.namespace);
  const requests: Record<string, number> = {};
  for (const { verb, resource, subresource, code } of await audit.requests()) {
    if (verb === 'watch') continue; // they end by themselves now and then, and begin anew
    const what = `${verb} ${[resource, subresource].filter(Boolean).join('/')}${code >= 400 ? ` ${code}` : ''}`;
    requests[what] = (requests[what] ?? 0) + 1;
  }
  return { requests, passes: (await operator.passes()) - before };
}

/** One thing after the other, eight at a time. */
export async function each(
  those: readonly string[],
  act: (name: string, index: number) => Promise<unknown>,
): Promise<void> {
  const left = [...those.entries()];
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift()) await act(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

/** Waits until the operator has done what it must: the rest is counted. */
export async function until(found: () => Promise<boolean>): Promise<void> {
  await vi.waitFor(async () => expect(await found()).toBe(true), { timeout: 120_000, interval: 200 });
}

/** All objects of a kind in the namespace of a site. */
export async function listed(site: Site, kind: ObjectKind): Promise<readonly LiveObject[]> {
  return (await site.cluster.list(kind, { namespace: site.namespace })).items;
}

/** True when the status of each Algorithm is about its present spec. */
export async function areObserved(site: Site): Promise<boolean> {
  const algorithms = await listed(site, algorithmKind);
  return algorithms.every(({ metadata, ...rest }) => {
    const { status } = rest as { status?: { observedGeneration?: number } };
    return status?.observedGeneration === metadata.generation;
  });
}
