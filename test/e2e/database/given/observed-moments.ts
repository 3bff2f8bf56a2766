import { setTimeout as pause } from 'node:timers/promises';
import type { LivePersistentVolumeClaim } from '../../../../operator/index.js';
import type { LivePod } from '../../cluster/kinds.js';
import type { TriedDatabase } from './tried-database.js';

/** What there was of a Database at a moment: the claims were looked at right before the pods. */
export interface Moment {
  readonly claims: readonly LivePersistentVolumeClaim[];
  readonly pods: readonly LivePod[];
}

/** Says what must not be, if it is; undefined else. */
export type Rule = (moment: Moment) => string | undefined | Promise<string | undefined>;

/** Milliseconds between two looks. */
const every = 150;

/**
 * Looks at a Database, or at another set of Pods, again and again while something is done to it.
 * @returns what was seen that must not be, each once
 * @throws what `act` throws
 */
export async function seenDuring(
  database: Pick<TriedDatabase, 'claims' | 'pods'>,
  rule: Rule,
  act: () => Promise<void>,
): Promise<readonly string[]> {
  const over = new AbortController();
  const seen = new Set<string>();
  const looking = (async () => {
    while (!over.signal.aborted) {
      const claims = await database.claims();
      const broken = await rule({ claims, pods: await database.pods() });
      if (broken !== undefined) seen.add(broken);
      await pause(every, undefined, { signal: over.signal }).catch(() => {});
    }
  })();
  try {
    await act();
  } finally {
    over.abort();
    await looking;
  }
  return [...seen];
}

/** A PVC is deleted after its Pod. */
export const claimsGoLast: Rule = ({ claims, pods }) => {
  const going = claims.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  const early = going.find(({ metadata }) => pods.some((pod) => pod.metadata.name === metadata.name));
  return early && `claim ${early.metadata.name} is deleted while its pod is there`;
};

/** A primary switches over before its Pod is deleted. */
export const noPrimaryGoes: Rule = ({ pods }) => {
  const going = pods.find(({ metadata }) => metadata.deletionTimestamp && metadata.labels?.['role'] === 'master');
  return going && `${going.metadata.name} is deleted while it is the primary`;
};

/** Not more than one instance is away. @param replicas that there are to be */
export function oneAway(replicas: number): Rule {
  return ({ pods }) => {
    const ready = pods.filter(isServing).length;
    return ready < replicas - 1 ? `${ready} of ${replicas} instances are ready` : undefined;
  };
}

/** One that is being deleted may answer for a while; it counts until it does not. */
function isServing({ status }: LivePod): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
}
