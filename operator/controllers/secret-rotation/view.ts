import type { SecretRotationResource } from '../../../imports/index.js';
import { type Credential, databasePorts, loginData, objectNames } from '../../../src/index.js';
import { adoptionOf } from '../../consumers/adoption.js';
import { contentHash } from '../../consumers/annotation.js';
import { type WorkloadsAnswer, workloadsOf } from '../../consumers/workloads.js';
import type { UserAnswer } from '../../kafka/users.js';
import type { DrawAnswer } from '../../passwords/draw.js';
import { type Facts, type Outcome, type Owned, type Polled, pollValueOf, Secret } from '../../runtime/index.js';
import { decoded, knownCredentials } from './credentials/known-credentials.js';
import type { owns, RotationReads } from './declarations.js';
import { kafkaData } from './kafka/client-data.js';
import type { KafkaAnswers } from './kafka/users.js';
import type { LoginPair, LoginsAnswer } from './ports/logins.js';

/** What does not change with time. */
export interface StableView extends Pick<Facts<SecretRotationResource>, 'resource'> {
  readonly owned: Pick<Owned<(typeof owns)[number]>, 'of'>;
  readonly reads: RotationReads;
}

/** The input of `desire`. */
export interface RotationView extends StableView, Pick<Facts, 'now'> {
  readonly polled: {
    readonly drawn: Polled<DrawAnswer> | undefined;
    readonly logins: Polled<LoginsAnswer> | undefined;
    readonly userA: Polled<UserAnswer> | undefined;
    readonly userB: Polled<UserAnswer> | undefined;
    readonly workloads: Polled<WorkloadsAnswer> | undefined;
  };
}

/** The input of `assess`. The owned Secrets are those that this reconcile wrote. */
export interface RotationOutcome extends RotationView, Pick<Outcome, 'calls'> {}

/** The names of the calls that change a login and roll the consumers. */
export const callNames = { login: 'login', rollout: 'rollout' } as const;

/** Where the logins of a rotation are. Undefined for another source than PostgreSQL, and while the Database does not exist. */
export function loginPair({ resource, reads: { database } }: StableView): LoginPair | undefined {
  const { metadata, spec } = resource;
  const { namespace = '', name } = metadata;
  const mark = `reconstruct.dev SecretRotation ${namespace}/${name}`;
  const { postgres, database: own } = spec.source;
  if (postgres) {
    const { host, port, owner, adminSecretRef } = postgres;
    const secret = adminSecretRef.name;
    return {
      ...{ host, isStated: true, port, database: postgres.database, owner, mark, namespace },
      ...{ admin: secret, authority: secret },
    };
  }
  if (!own || !database) return undefined;
  const names = objectNames(own.name);
  return {
    ...{ host: `${names.rw}.${namespace}.svc`, isStated: false, port: databasePorts.postgresql, mark, namespace },
    ...{ database: database.database, owner: database.owner, admin: names.superuser, authority: names.app },
  };
}

/** The server of the logins, for messages. */
export function serverName({ spec }: SecretRotationResource): string {
  return spec.source.kafkaUser ? 'Kafka' : 'PostgreSQL';
}

/** The polls of the server. */
export function serverPolls({ polled: { logins, userA, userB } }: RotationView) {
  return [logins, userA, userB];
}

/** What Kafka says about both users. Undefined while one of them is not known. */
export function kafkaAnswers({ polled: { userA, userB } }: Pick<RotationView, 'polled'>): KafkaAnswers | undefined {
  return userA?.known && userB?.known ? [userA.value, userB.value] : undefined;
}

/** The states of the consumers with the content that is in the Secret. Undefined while they are unknown. */
export function workloadsIn(view: RotationView): WorkloadsAnswer | undefined {
  const workloads = pollValueOf(view.polled.workloads);
  return workloads && workloads.hash === publishedHash(view) ? workloads : undefined;
}

/** Identifies the adopted content. Undefined without a Secret. */
export function adoptionIn(view: StableView): string | undefined {
  const hash = publishedHash(view);
  return hash === undefined ? undefined : adoptionOf(hash, workloadsOf(view.resource.spec.consumers));
}

function publishedHash(view: StableView): string | undefined {
  const { published } = knownCredentials(view);
  return published && contentHash(published);
}

/**
 * The data of the Secret of the consumers. What is not known yet stays as it is.
 * @returns undefined if it cannot be written
 */
export function publishedData(credential: Credential, view: RotationView): Credential | undefined {
  const { resource, owned, polled } = view;
  if (resource.spec.source.random) return credential;
  const pair = loginPair(view);
  const live = owned.of(Secret).find(({ metadata }) => metadata.name === resource.spec.secretName)?.data;
  const texts = decoded(live);
  if (resource.spec.source.kafkaUser) return kafkaData(credential, view, texts);
  const text = (key: string) => texts[key];
  const [host, database] = [pair?.host ?? text('host'), pair?.database ?? text('dbname')];
  const port = pair?.port ?? Number(text('port'));
  if (host === undefined || database === undefined || (!live && !polled.logins?.known)) return undefined;
  const authority = polled.logins?.known ? polled.logins.value.authority : text('ca.crt');
  return loginData(credential, { host, port, database, authority });
}
