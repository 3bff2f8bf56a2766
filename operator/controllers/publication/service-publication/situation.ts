import { secondsOf } from '../../../../crds/index.js';
import type { ServicePublicationResource } from '../../../../imports/index.js';
import type { NamesAnswer } from '../../../dns/dns-names.js';
import { type Polled, pollValueOf } from '../../../runtime/index.js';
import { externalDnsOwner, ownerValue, ownPrefix } from '../names/owner.js';
import type { EtcdKeysAnswer } from '../ports/etcd.js';
import type { HaproxyAnswer } from '../ports/haproxy.js';
import type { PodShutdown } from '../ports/pod-shutdown.js';
import type { WebhookAnswer } from '../ports/webhook.js';
import type { StatedTarget } from '../targets/destination.js';
import { rrsetsFor, rrsetsIn } from '../targets/dns-rrsets.js';
import { readDns } from '../targets/dns-target.js';
import { readEtcd } from '../targets/etcd-target.js';
import { readHaproxy } from '../targets/haproxy-target.js';
import type { Permission, TargetReading } from '../targets/target-reading.js';
import { readWebhook } from '../targets/webhook-target.js';
import type { conditions } from './conditions.js';
import type { ConfigMapPart } from './declarations.js';
import type { PublishedList } from './published-list.js';
import { namesOf, rivalOf, type Slot, stablePart } from './slots.js';
import { isDeleting, type PublicationView, type TargetPoll } from './view.js';
import { type Wanted, wantedIn } from './wanted.js';

/** Annotation with the exact value of an owner record whose records are taken over, or `unowned`. */
export const takeOverAnnotation = 'reconstruct.dev/take-over-records';

/** Annotation that lets places go that are no longer in the spec: their texts in the status, joined by commas, or `*`. */
export const abandonAnnotation = 'reconstruct.dev/abandon-targets';

/** A target outside of the cluster, with what it has. */
export interface SlotSituation extends Slot {
  /** The name of its poll and of its call. */
  readonly poll: TargetPoll;
  readonly wanted: Wanted;
  /** The names that the slot asks about. */
  readonly asked: readonly string[];
  /** Undefined if nothing is asked. */
  readonly polled: Polled | undefined;
  /** Undefined while the target has not answered. */
  readonly reading?: TargetReading | undefined;
  /** Whether the status records everything that the target should have, so that it may be written. */
  readonly isRecorded: boolean;
}

/** A target in a ConfigMap. */
export interface FileSituation {
  readonly target: NonNullable<StatedTarget['file']>;
  /** The publication that has the ConfigMap. */
  readonly rival?: string | undefined;
  /** Who controls the ConfigMap, if it is not this publication. */
  readonly holder?: string | undefined;
}

/** What is known about a publication. */
export interface Situation {
  readonly resource: ServicePublicationResource;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly isDeleting: boolean;
  readonly policy: ServicePublicationResource['spec']['policy'];
  readonly list: PublishedList;
  readonly slots: readonly SlotSituation[];
  readonly files: readonly FileSituation[];
  /** Seconds for which a Pod must serve on after its withdrawal. Undefined for other addresses than those of Pods. */
  readonly drainSeconds?: number | undefined;
  /** How Pods end. Undefined while it is not known. */
  readonly pods?: readonly PodShutdown[] | undefined;
  /** Texts of places that a person lets go. */
  readonly abandoned: readonly string[];
}

/** Why a target has its state: the reasons of `Published`. */
export type TargetReason = keyof (typeof conditions)['Published'];

/** The state of a target, for people. */
export interface TargetState {
  readonly type: 'dns' | 'file' | 'haproxy' | 'webhook' | 'etcd';
  /** Name and server, or ConfigMap. */
  readonly where: string;
  readonly reason: TargetReason;
  readonly records?: number | undefined;
  readonly message?: string | undefined;
  /** False for a place that is no longer in the spec. */
  readonly isStated: boolean;
}

export function situationOf(view: PublicationView): Situation {
  const { resource, now, polled, reads } = view;
  const { list, slots } = stablePart(view);
  const { annotations = {} } = resource.metadata;
  return {
    ...{ resource, now: now.getTime(), isDeleting: isDeleting(resource), policy: resource.spec.policy, list },
    slots: slots.map((slot) => slotSituation(slot, list, view)),
    files: resource.spec.targets.flatMap((target) => (target.file ? [fileSituation(target, target.file, view)] : [])),
    drainSeconds: drainSecondsOf(resource),
    pods: pollValueOf(polled.pods)?.pods.filter(({ name }) =>
      reads.slices.some(({ endpoints }) => endpoints.some(({ pod }) => pod === name)),
    ),
    abandoned: (annotations[abandonAnnotation] ?? '').split(',').map((text) => text.trim()),
  };
}

function slotSituation(slot: Slot, list: PublishedList, view: PublicationView): SlotSituation {
  const poll: TargetPoll = `${slot.destination.type}${slot.position}`;
  const polled: Polled | undefined = view.polled[poll];
  const wanted = wantedIn(slot, list);
  const recorded = slot.claim?.names ?? [];
  const isRecorded =
    slot.claim !== undefined && [...slot.hosts, ...slot.services].every((name) => recorded.includes(name));
  const reading = polled?.known ? readingOf(slot, { wanted, answer: polled.value, view }) : undefined;
  return { ...slot, poll, wanted, asked: namesOf(slot), polled, isRecorded, reading };
}

interface Asked {
  readonly wanted: Wanted;
  /** Of the port of the slot's type. */
  readonly answer: unknown;
  readonly view: PublicationView;
}

function readingOf(slot: Slot, { wanted, answer, view }: Asked): TargetReading {
  const { resource, now } = view;
  const { destination, target, claim } = slot;
  const permission = permissionOf(resource);
  const asked = namesOf(slot);
  // What is not known stays as it is.
  const names = wanted.isKnown ? asked : asked.filter((name) => slot.leaving.includes(name));
  const { records } = wanted;
  switch (destination.type) {
    case 'dns': {
      const rrsets = rrsetsIn(answer as NamesAnswer, rrsetsFor(asked, destination.zone));
      const ttl = secondsOf(target?.dns?.ttl ?? '30s');
      return readDns({
        ...permission,
        ...destination,
        ttl,
        owner: ownerValue(resource),
        wanted: records,
        names,
        rrsets,
      });
    }
    case 'webhook': {
      const owner = externalDnsOwner(resource);
      return readWebhook({
        ...permission,
        ...destination,
        owner,
        wanted: records,
        names,
        answer: answer as WebhookAnswer,
      });
    }
    case 'haproxy': {
      const draining = (claim?.draining ?? []).map(({ name, since }) => ({ name, since: Date.parse(since) }));
      const { servers } = answer as HaproxyAnswer;
      const serving = wanted.serving.flatMap(({ address, port }) => (port === undefined ? [] : [{ address, port }]));
      const times = { drain: secondsOf(resource.spec.drain) * 1000, now: now.getTime(), draining };
      const { mayDelete } = permission;
      return quiet(
        wanted,
        readHaproxy({ ...destination, ...times, mayDelete, prefix: ownPrefix(resource), wanted: serving, servers }),
      );
    }
    default: {
      const { serving } = wanted;
      const ttl = secondsOf(target?.etcd?.ttl ?? '30s');
      const own = { owner: ownerValue(resource), prefix: ownPrefix(resource), wanted: serving, ttl };
      return quiet(wanted, readEtcd({ ...permission, ...destination, ...own, answer: answer as EtcdKeysAnswer }));
    }
  }
}

/** What is not known stays as it is. */
function quiet({ isKnown }: Wanted, reading: TargetReading): TargetReading {
  return isKnown ? reading : { ...reading, request: undefined };
}

function permissionOf({ metadata, spec }: ServicePublicationResource): Permission {
  return { mayDelete: spec.policy === 'Sync', takeOver: metadata.annotations?.[takeOverAnnotation] };
}

function fileSituation(target: StatedTarget, file: FileSituation['target'], view: PublicationView): FileSituation {
  const { resource, reads } = view;
  const live = reads.configMaps.find((one): one is ConfigMapPart => one?.name === file.configMap);
  const { namespace, name, uid } = resource.metadata;
  const isAdopted = live?.controller === undefined && live?.adoptBy === `${namespace}/${name}`;
  const isForeign = live !== undefined && live.controller?.uid !== uid && !isAdopted;
  return {
    ...{ target: file, rival: rivalOf(target, view) },
    holder: isForeign ? (live.controller?.text ?? 'no controller') : undefined,
  };
}

/** Clients may use an address until the TTL of its records and `drain` are over. */
function drainSecondsOf({ spec }: ServicePublicationResource): number | undefined {
  if (spec.service === undefined || spec.addresses !== 'Endpoints') return undefined;
  const ttls = spec.targets.map(({ dns, webhook, etcd }) => secondsOf((dns ?? webhook ?? etcd)?.ttl ?? '0s'));
  return Math.max(...ttls) + secondsOf(spec.drain);
}
