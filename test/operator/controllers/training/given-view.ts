import { assess } from '../../../../operator/controllers/training/assess.js';
import { reads } from '../../../../operator/controllers/training/declarations.js';
import type { CoordinatorAnswer } from '../../../../operator/controllers/training/ports/coordinator.js';
import type { TrainingView } from '../../../../operator/controllers/training/view.js';
import { claimedVolume } from '../../../../operator/controllers/training/workers/mounted-claims.js';
import { foundBy, type Read, type Refer, refer } from '../../../../operator/runtime/controller/reads.js';
import {
  type LivePersistentVolume,
  type ObjectKind,
  PersistentVolumeClaim,
} from '../../../../operator/runtime/index.js';
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
  readonly claims?: readonly ({ readonly isEnding: boolean; readonly isBound?: boolean } | undefined)[];
  readonly isShared?: boolean;
  /** PersistentVolumes. @default [] */
  readonly volumes?: readonly LivePersistentVolume[];
  /** Phase of the claim that the job owns. @default - it owns none */
  readonly ownClaim?: string;
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
  /** What the scheduler says of it. @default - it has a node */
  readonly unschedulable?: string;
}

/** What the status says of it. */
export function assessed(given: GivenView) {
  const { spec: input, status, pods, coordinator, claims = [], isShared, volumes = [], ownClaim, objects = {} } = given;
  const spec = specOf(input);
  const revision = trainingRevision({ ...metadata, spec });
  const live = pods.map(({ index, incarnation = 0, isEnding = false, phase = 'Running', unschedulable }) => ({
    metadata: {
      ...{ name: `ranking-${index}-0`, uid: `uid-${index}-0` },
      ...(isEnding && { deletionTimestamp: '2026-11-27T12:00:00Z' }),
      annotations: { 'reconstruct.dev/revision': revision, 'reconstruct.dev/incarnation': String(incarnation) },
    },
    ...(unschedulable === undefined
      ? { spec: { nodeName: `node-${index}` }, status: { phase } }
      : { spec: {}, status: { phase: 'Pending', conditions: [unplaced(unschedulable)] } }),
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
  const found = {
    nodes: [],
    isShared,
    claims,
    volumes: volumes.map(claimedVolume),
    configMaps: seen(configMaps),
    secrets: seen(secrets),
  };
  const own =
    ownClaim === undefined ? [] : [{ metadata: { name: 'ranking-checkpoints' }, status: { phase: ownClaim } }];
  const view = {
    ...{
      resource,
      owned: { of: (kind: ObjectKind) => (kind === PersistentVolumeClaim ? own : live) },
      reads: found,
      now: new Date(now),
    },
    polled: { coordinator: answer, capacity: undefined },
  } as unknown as TrainingView;
  return assess(view as never);
}

const unplaced = (message: string) => ({ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message });
