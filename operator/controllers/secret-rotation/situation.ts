import { secondsOf } from '../../../crds/index.js';
import type { SecretRotationResource } from '../../../imports/index.js';
import { type Credential, credentialHash, loginData } from '../../../src/index.js';
import { adoptionOf, isAdopted } from '../../consumers/adoption.js';
import { contentHash } from '../../consumers/annotation.js';
import { annotatedRequest } from '../../consumers/request-annotation.js';
import { type WorkloadsAnswer, workloadsOf } from '../../consumers/workloads.js';
import { type Facts, Secret } from '../../runtime/index.js';
import type { owns, reads } from './declarations.js';
import { kafkaData } from './kafka-target.js';
import { type KafkaAnswers, kafkaSeen } from './kafka-users.js';
import { nextStep, type Situation, type Step } from './plan.js';
import type { LoginPair } from './ports/logins.js';
import { loginPair, type polls } from './questions.js';
import { decoded, type KnownCredentials, knownCredentials, loginNames } from './secrets.js';

/** The input of `desire` and `assess`. */
export type RotationFacts = Pick<
  Facts<SecretRotationResource, (typeof owns)[number], ReturnType<typeof reads>, ReturnType<typeof polls>>,
  'resource' | 'owned' | 'reads' | 'polled' | 'now'
>;

/** What is known of a rotation, and its next step. */
export interface Rotation {
  readonly situation: Situation;
  readonly step: Step;
  readonly known: KnownCredentials;
  /** Undefined for another source than PostgreSQL, and while the Database does not exist. */
  readonly pair: LoginPair | undefined;
  /** The states of the consumers with the content that is in the Secret. Undefined while they are unknown. */
  readonly workloads: WorkloadsAnswer | undefined;
  /** Identifies the adopted content. Undefined without a Secret. */
  readonly adoption: string | undefined;
}

/** Annotation that asks for a rotation now. Each new value starts one. */
export const rotateAnnotation = 'reconstruct.dev/rotate';

export function rotationOf(facts: RotationFacts): Rotation {
  const { resource, polled, now } = facts;
  const { metadata, spec, status } = resource;
  const known = knownCredentials(facts);
  const pair = loginPair(facts);
  const { logins, drawn, workloads } = polled;
  const consumers = workloadsOf(spec.consumers);
  const hash = known.published && contentHash(known.published);
  const adoption = hash === undefined ? undefined : adoptionOf(hash, consumers);
  const seen = workloads?.known && workloads.value.hash === hash ? workloads.value : undefined;
  const phases = seen?.states.map(({ phase }) => phase);
  const requested = annotatedRequest(metadata, rotateAnnotation);
  const situation: Situation = {
    now: now.getTime(),
    every: secondsOf(spec.every) * 1000,
    overlap: secondsOf(spec.overlap) * 1000,
    current: known.current,
    next: known.next,
    isPublished: known.isPublished,
    since: sinceOf(resource, known.current, now.getTime()),
    isRequested: requested !== undefined && requested !== status?.requested,
    drawn: drawn?.known ? drawn.value : undefined,
    ...(!spec.source.random && {
      logins: {
        pair: loginNames(metadata.name),
        last: status?.login,
        seen: spec.source.kafkaUser
          ? kafkaSeen(facts, kafkaAnswers(facts), known)
          : pair && logins?.known
            ? logins.value
            : undefined,
      },
    }),
    isAdopted: consumers.length === 0 || isAdopted(phases, adoption !== undefined && status?.adopted === adoption),
    phases,
  };
  return { situation, step: nextStep(situation), known, pair, workloads: seen, adoption };
}

/** What Kafka says about both users. Undefined while one of them is not known. */
export function kafkaAnswers({ polled: { userA, userB } }: Pick<RotationFacts, 'polled'>): KafkaAnswers | undefined {
  return userA?.known && userB?.known ? [userA.value, userB.value] : undefined;
}

/**
 * When the credential was written. The status of another credential says nothing about it, and a time in the future is one
 * of a clock that was wrong.
 */
function sinceOf({ status }: SecretRotationResource, current: Credential | undefined, now: number): number {
  const isSame = current !== undefined && status?.credential === credentialHash(current);
  return isSame && status?.rotated !== undefined ? Math.min(Date.parse(status.rotated), now) : now;
}

/**
 * The data of the Secret of the consumers. What is not known yet stays as it is.
 * @returns undefined if it cannot be written
 */
export function publishedData(credential: Credential, facts: RotationFacts): Credential | undefined {
  const { resource, owned, polled } = facts;
  if (resource.spec.source.random) return credential;
  const pair = loginPair(facts);
  const live = owned.of(Secret).find(({ metadata }) => metadata.name === resource.spec.secretName)?.data;
  const texts = decoded(live);
  if (resource.spec.source.kafkaUser) return kafkaData(credential, facts, texts);
  const text = (key: string) => texts[key];
  const [host, database] = [pair?.host ?? text('host'), pair?.database ?? text('dbname')];
  const port = pair?.port ?? Number(text('port'));
  if (host === undefined || database === undefined || (!live && !polled.logins?.known)) return undefined;
  const authority = polled.logins?.known ? polled.logins.value.authority : text('ca.crt');
  return loginData(credential, { host, port, database, authority });
}
