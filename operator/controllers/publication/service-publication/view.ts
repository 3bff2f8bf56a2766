import type { ServicePublicationResource } from '../../../../imports/index.js';
import type { LookupAnswer } from '../../../dns/dns-lookup.js';
import type { NamesAnswer } from '../../../dns/dns-names.js';
import type { Facts, Outcome, Polled } from '../../../runtime/index.js';
import type { EtcdKeysAnswer } from '../ports/etcd.js';
import type { HaproxyAnswer } from '../ports/haproxy.js';
import type { PodShutdownAnswer } from '../ports/pod-shutdown.js';
import type { WebhookAnswer } from '../ports/webhook.js';
import type { owns, PublicationReads } from './declarations.js';

/** The most targets of a spec. A target has the polls of its position. */
const mostTargets = 8;

/** The positions of the targets, and of places that are no longer in the spec. */
export const positions = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const;
export type Position = (typeof positions)[number];

/** The positions of places that are no longer in the spec. More wait for them. */
export const leavingPositions: readonly Position[] = positions.filter((one) => one >= mostTargets);

/** The answers of each type of target, by the position of the target. */
interface TargetAnswers {
  readonly dns: NamesAnswer;
  readonly webhook: WebhookAnswer;
  readonly haproxy: HaproxyAnswer;
  readonly etcd: EtcdKeysAnswer;
}

/** Types of targets outside of the cluster. */
export type OutsideType = keyof TargetAnswers;

/** The name of a poll and of a call. */
export type TargetPoll<T extends OutsideType = OutsideType> = `${T}${Position}`;

type TargetPolled = {
  readonly [T in OutsideType as TargetPoll<T>]: Polled<TargetAnswers[T]> | undefined;
};

/** What does not change with time. */
export interface StableView
  extends Pick<Facts<ServicePublicationResource, (typeof owns)[number]>, 'resource' | 'isServed'> {
  readonly reads: PublicationReads;
}

/** The input of `desire`. */
export interface PublicationView extends StableView, Pick<Facts, 'now'> {
  readonly polled: TargetPolled & {
    readonly lookup: Polled<LookupAnswer> | undefined;
    readonly pods: Polled<PodShutdownAnswer> | undefined;
  };
}

/** The input of `assess`. */
export interface PublicationOutcome
  extends PublicationView,
    Pick<Outcome<ServicePublicationResource, (typeof owns)[number]>, 'calls' | 'blocker' | 'owned'> {}

/** Whether a publication is being deleted. */
export function isDeleting({ metadata }: Pick<ServicePublicationResource, 'metadata'>): boolean {
  return metadata.deletionTimestamp !== undefined;
}
