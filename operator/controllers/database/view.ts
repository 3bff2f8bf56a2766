import type { DatabaseResource } from '../../../imports/index.js';
import { instanceImage, instanceRevision, objectNames, parametersRevision } from '../../../src/index.js';
import { withLeftClaims } from '../../pods/left-claims.js';
import {
  type Answers,
  ConfigMap,
  type Facts,
  type LivePersistentVolumeClaim,
  type Owned,
  PersistentVolumeClaim,
  Pod,
  type Secret,
} from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import type { DatabaseReads } from './declarations.js';
import { forksIn } from './instances/forks.js';
import { type Instance, instancesOf } from './instances/instances.js';
import { bytesOf, type LogPosition, wholeOf } from './instances/log-position.js';
import type { Situation } from './plan/index.js';
import type { polls } from './queries.js';
import { withPresentSize } from './volume-sizes.js';

type Reason = keyof (typeof conditions)['Replicated'];
type Kinds = typeof Pod | typeof PersistentVolumeClaim | typeof Secret | typeof ConfigMap;

/** The input of `desire` and `assess`. */
export interface DatabaseView extends Pick<Facts<DatabaseResource>, 'resource' | 'now' | 'isServed'> {
  readonly owned: Pick<Owned<Kinds>, 'of'>;
  /** Terminating Pods. In `desire`, `owned` contains them too. @default - none */
  readonly leaving?: Pick<Owned<typeof Pod>, 'of'>;
  readonly reads: DatabaseReads;
  readonly polled: Answers<ReturnType<typeof polls>>;
}

/** The observed and desired state of a Database. */
export function situationOf(view: DatabaseView): Situation {
  const { resource, owned, leaving, reads, polled, now } = view;
  const { metadata, spec } = resource;
  const { members, goneNodes } = polled;
  const claims = claimsIn(view);
  const instances = instancesOf({
    database: metadata.name,
    pods: owned.of(Pod),
    leaving: leaving?.of(Pod) ?? [],
    claims,
    nodes: reads.nodes,
    reports: members?.known ? members.value.reports : {},
    topologyKey: spec.placement.topologyKey,
    gone: goneNodes?.known ? goneNodes.value.gone : [],
    remembered: rememberedIn(resource),
  });
  const { name, namespace = '' } = metadata;
  return {
    wanted: metadata.deletionTimestamp === undefined ? spec.replicas : remaining(instances),
    isSynchronous: spec.synchronous.mode !== 'None',
    revision: instanceRevision({ name, namespace }, { spec, image: instanceImage(spec) }),
    parameters: parametersRevision(name, withPresentSize(resource, claims)),
    hasArchive: spec.backup !== undefined,
    forks: forksIn(owned.of(ConfigMap).find((one) => one.metadata.name === objectNames(name).dynamicConfig)),
    degradedSince: degradedSince(resource),
    instances,
    now: now.getTime(),
  };
}

function degradedSince({ status }: DatabaseResource): number | undefined {
  const replicated = status?.conditions?.find(({ type }) => type === 'Replicated');
  const isBehind = replicated?.status === 'False' || replicated?.reason === ('Initializing' satisfies Reason);
  return replicated && isBehind ? Date.parse(replicated.lastTransitionTime) : undefined;
}

function rememberedIn({ status }: DatabaseResource): Readonly<Record<string, LogPosition>> {
  const all = (status?.instances ?? []).flatMap(({ name, timeline, position }) => {
    const bytes = position === undefined ? undefined : bytesOf(position);
    const whole = wholeOf({
      ...(timeline !== undefined && { timeline }),
      ...(bytes !== undefined && { position: bytes }),
    });
    return whole ? [[name, whole] as const] : [];
  });
  return Object.fromEntries(all);
}

/** A Database that is being deleted keeps its current number of instances until its data is saved. */
function remaining(instances: readonly Instance[]): number {
  return instances.filter(({ isQuarantined, leavingAt }) => !isQuarantined && leavingAt === undefined).length;
}

/** The PVCs of the Database, and unowned ones that an earlier Database of the same name left. */
export function claimsIn({ owned, reads }: DatabaseView): readonly LivePersistentVolumeClaim[] {
  return withLeftClaims(owned.of(PersistentVolumeClaim), reads.claims);
}
