import { assess } from '../../../../operator/controllers/training/assess.js';
import { reads } from '../../../../operator/controllers/training/declarations.js';
import type { CoordinatorAnswer } from '../../../../operator/controllers/training/ports/coordinator.js';
import type { TrainingView } from '../../../../operator/controllers/training/view.js';
import { foundBy, type Read, type Refer, refer } from '../../../../operator/runtime/controller/reads.js';
import { trainingRevision } from '../../../../src/index.js';
import { specOf } from '../../../src/training/given-job.js';
import { now } from './given-training.js';

const metadata = { name: 'ranking', namespace: 'ml', uid: 'uid', resourceVersion: '1' };

/** A job as the controller sees it. */
export interface GivenView {
  readonly spec: object;
  readonly status: object;
  /** Pods that run, by their index. */
  readonly pods: readonly SeenPod[];
  /** PersistentVolumeClaims that the spec names, in its order, and whether all Pods can mount that of the checkpoints. */
  readonly claims?: readonly ({ readonly isEnding: boolean } | undefined)[];
  readonly isShared?: boolean;
  /** Keys of the ConfigMaps and Secrets that exist, by kind and name, such as `ConfigMap/settings`. @default {} */
  readonly objects?: Readonly<Record<string, readonly string[]>>;
  /** What the coordinator answered, or why it does not answer. @default - it was not asked yet */
  readonly coordinator?: CoordinatorAnswer | string | undefined;
}

/** A Pod on a node of its own. */
export interface SeenPod {
  readonly index: number;
  readonly incarnation?: number;
  readonly isEnding?: boolean;
  /** @default 'Running' */
  readonly phase?: string;
}

/** What the status says of it. */
export function assessed({ spec: input, status, pods, coordinator, claims = [], isShared, objects = {} }: GivenView) {
  const spec = specOf(input);
  const revision = trainingRevision({ ...metadata, spec });
  const live = pods.map(({ index, incarnation = 0, isEnding = false, phase = 'Running' }) => ({
    metadata: {
      ...{ name: `ranking-${index}-0`, uid: `uid-${index}-0` },
      ...(isEnding && { deletionTimestamp: '2026-11-27T12:00:00Z' }),
      annotations: { 'reconstruct.dev/revision': revision, 'reconstruct.dev/incarnation': String(incarnation) },
    },
    ...{ spec: { nodeName: `node-${index}` }, status: { phase } },
  }));
  const answer =
    typeof coordinator === 'string'
      ? { known: false, why: coordinator }
      : coordinator && { known: true, value: coordinator };
  const resource = {
    ...{ apiVersion: 'v1', kind: 'TrainingJob', metadata, spec, status: { observedGeneration: 1, ...status } },
  };
  const { configMaps, secrets } = reads(refer as Refer<never>);
  const seen = (read: Read) =>
    foundBy(
      read,
      read.refersTo(resource as never).map((reference) => {
        const keys = 'name' in reference ? objects[`${read.kind.kind}/${reference.name}`] : undefined;
        return keys ? [{ data: Object.fromEntries(keys.map((key) => [key, ''])) } as never] : [];
      }),
    );
  const found = { nodes: [], isShared, claims, configMaps: seen(configMaps), secrets: seen(secrets) };
  const view = {
    ...{ resource, owned: { of: () => live }, reads: found, now: new Date(now) },
    polled: { coordinator: answer, capacity: undefined },
  } as unknown as TrainingView;
  return assess(view as never);
}
