import type { SecretRotationResource, SecretRotationStatus } from '../../../imports/index.js';
import { credentialHash } from '../../../src/index.js';
import { currentOutOf } from '../../consumers/consumer-state.js';
import { annotatedRequest } from '../../consumers/request-annotation.js';
import { workloadsOf } from '../../consumers/workloads.js';
import { type Assessment, defined, timestampOf } from '../../runtime/index.js';
import type { conditions } from './conditions.js';
import { adoptedOf } from './findings/adopted.js';
import { retiredOf } from './findings/retired.js';
import { rotatedOf } from './findings/rotated.js';
import { kafkaTarget } from './kafka/target.js';
import { type Step, stepOf } from './plan/index.js';
import { rotateAnnotation, type Situation, situationOf } from './situation.js';
import { adoptionIn, type RotationOutcome, workloadsIn } from './view.js';

/** Milliseconds: requeues at once. */
const atOnce = 1;

/** Reports how far a rotation got. */
export function assess(outcome: RotationOutcome): Assessment<SecretRotationResource, typeof conditions> {
  const { resource } = outcome;
  const situation = situationOf(outcome);
  const step = stepOf(situation);
  const credential = publishedHash(situation);
  const isNew = credential !== undefined && credential !== resource.status?.credential;
  const requeueAfter = requeueOf(situation, step);
  return {
    conditions: {
      Rotated: rotatedOf(outcome, situation, step),
      Adopted: adoptedOf(outcome, situation, step),
      Retired: retiredOf(outcome, situation, step),
    },
    status: statusOf(outcome, situation),
    events: isNew ? [rotatedEvent(resource, situation.current?.['username'])] : [],
    ...(requeueAfter !== undefined && { requeueAfter }),
  };
}

/** Identifies the credential in the Secret of the consumers. */
function publishedHash({ current, isPublished }: Situation): string | undefined {
  return current && isPublished ? credentialHash(current) : undefined;
}

function statusOf(outcome: RotationOutcome, situation: Situation): Partial<SecretRotationStatus> {
  const { resource } = outcome;
  const { current, since, every, isAdopted, isPublished } = situation;
  const before = resource.status;
  const consumers = workloadsOf(resource.spec.consumers);
  const credential = publishedHash(situation);
  const states = workloadsIn(outcome)?.states;
  const adoption = adoptionIn(outcome);
  const isDone = isAdopted && isPublished && adoption !== undefined && consumers.length > 0;
  const target = kafkaTarget(outcome);
  return defined({
    login: resource.spec.source.random ? undefined : current?.['username'],
    credential: credential ?? before?.credential,
    rotated: credential === undefined ? before?.rotated : timestampOf(new Date(since)),
    nextRotation: credential === undefined ? undefined : timestampOf(new Date(since + every)),
    requested: requestedIn(outcome, situation),
    kafkaCluster: target && !('reason' in target) ? target.cluster.name : before?.kafkaCluster,
    consumers: states ? currentOutOf(states) : consumers.length === 0 ? undefined : before?.consumers,
    adopted: isDone ? adoption : before?.adopted,
  });
}

/** The request counts as started when a new credential is kept or written for it. */
function requestedIn({ resource }: RotationOutcome, { current, next }: Situation): string | undefined {
  const { requested, credential } = resource.status ?? {};
  const asked = annotatedRequest(resource.metadata, rotateAnnotation);
  const isNew = current !== undefined && credentialHash(current) !== credential;
  return next !== undefined || isNew ? (asked ?? requested) : requested;
}

function rotatedEvent({ spec }: SecretRotationResource, login: string | undefined) {
  const content = spec.source.random ? 'new random values' : `login ${login}`;
  return { type: 'Normal', reason: 'SecretRotated', note: `Secret ${spec.secretName} has ${content}` } as const;
}

function requeueOf({ now }: Situation, step: Step): number | undefined {
  const until = step.does === 'rest' || step.does === 'wait' ? step.until : undefined;
  return until === undefined ? undefined : Math.max(atOnce, until - now);
}
