import type { KafkaUserResource } from '../../../../imports/index.js';
import { fingerprint } from '../../../../src/manifest/fingerprint.js';
import type { UserAnswer } from '../../../kafka/users.js';
import { passwordIn, type UserView } from './view.js';

/** The observed and desired state of a KafkaUser in Kafka. */
export interface Situation {
  readonly resource: KafkaUserResource;
  /** What Kafka has of the user. Absent while it is not known. */
  readonly found?: UserAnswer | undefined;
  /** A hash of the password in the Secret. Absent while it has none. */
  readonly hash?: string | undefined;
}

/** Derives the situation from what is observed. */
export function situationOf(view: UserView): Situation {
  const { resource, polled } = view;
  if (!polled.user?.known) return { resource };
  const password = passwordIn(view);
  return {
    resource,
    found: polled.user.value,
    hash: password === undefined ? undefined : fingerprint(password),
  };
}
