import { secondsOf } from '../../../crds/index.js';
import type { SecretRotationResource } from '../../../imports/index.js';
import { type Credential, credentialHash } from '../../../src/index.js';
import { isAdopted } from '../../consumers/adoption.js';
import type { ConsumerPhase } from '../../consumers/consumer-state.js';
import { annotatedRequest } from '../../consumers/request-annotation.js';
import { workloadsOf } from '../../consumers/workloads.js';
import { pollValueOf } from '../../runtime/index.js';
import { knownCredentials, loginNames } from './credentials/known-credentials.js';
import { kafkaSeen } from './kafka/users.js';
import type { LoginsSeen } from './ports/logins.js';
import { adoptionIn, kafkaAnswers, loginPair, type RotationView, workloadsIn } from './view.js';

/** Annotation that asks for a rotation now. Each new value starts one. */
export const rotateAnnotation = 'reconstruct.dev/rotate';

/** What is known about a rotation. */
export interface Situation {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Milliseconds. */
  readonly every: number;
  /** Milliseconds. */
  readonly overlap: number;
  /** The credential of the consumers. Undefined before the first one, and if it is lost. */
  readonly current?: Credential | undefined;
  /** The credential that replaces it, once it works. */
  readonly next?: Credential | undefined;
  /** The Secret of the consumers has the current one. */
  readonly isPublished: boolean;
  /** When the current one was written into the Secret, in milliseconds since 1970. */
  readonly since: number;
  /** A person has asked for a rotation that was not started yet. */
  readonly isRequested: boolean;
  /** New values. Undefined until they are drawn. */
  readonly drawn?: Credential | undefined;
  /** Undefined for random values. */
  readonly logins?: Logins | undefined;
  /** Each consumer was seen with the content of the Secret. */
  readonly isAdopted: boolean;
  /** The phases of the consumers. Undefined while they are unknown. */
  readonly phases?: readonly ConsumerPhase[] | undefined;
}

/** A pair of logins of a server. */
export interface Logins {
  readonly pair: readonly [string, string];
  /** The login that was last in the Secret. */
  readonly last?: string | undefined;
  /** The state of the server. Undefined while it is unknown, or if the Database or KafkaUser does not exist. */
  readonly seen?: LoginsSeen | undefined;
}

export function situationOf(view: RotationView): Situation {
  const { resource, polled, now } = view;
  const { metadata, spec, status } = resource;
  const known = knownCredentials(view);
  const adoption = adoptionIn(view);
  const consumers = workloadsOf(spec.consumers);
  const phases = workloadsIn(view)?.states.map(({ phase }) => phase);
  const requested = annotatedRequest(metadata, rotateAnnotation);
  return {
    now: now.getTime(),
    every: secondsOf(spec.every) * 1000,
    overlap: secondsOf(spec.overlap) * 1000,
    current: known.current,
    next: known.next,
    isPublished: known.isPublished,
    since: sinceOf(resource, known.current, now.getTime()),
    isRequested: requested !== undefined && requested !== status?.requested,
    drawn: pollValueOf(polled.drawn),
    ...(!spec.source.random && {
      logins: { pair: loginNames(metadata.name), last: status?.login, seen: loginsSeen(view) },
    }),
    isAdopted: consumers.length === 0 || isAdopted(phases, adoption !== undefined && status?.adopted === adoption),
    phases,
  };
}

function loginsSeen(view: RotationView): LoginsSeen | undefined {
  if (view.resource.spec.source.kafkaUser) return kafkaSeen(view, kafkaAnswers(view), knownCredentials(view));
  const { logins } = view.polled;
  return loginPair(view) && pollValueOf(logins);
}

/**
 * When the credential was written. The status of another credential says nothing about it, and a time in the future is one
 * of a clock that was wrong.
 */
function sinceOf({ status }: SecretRotationResource, current: Credential | undefined, now: number): number {
  const isSame = current !== undefined && status?.credential === credentialHash(current);
  return isSame && status?.rotated !== undefined ? Math.min(Date.parse(status.rotated), now) : now;
}
