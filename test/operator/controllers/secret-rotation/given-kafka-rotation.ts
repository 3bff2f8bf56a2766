import { App, Chart } from 'cdk8s';
import type { SecretRotationResource } from '../../../../imports/index.js';
import { contentHash } from '../../../../operator/consumers/annotation.js';
import { secretRotation } from '../../../../operator/controllers/secret-rotation/index.js';
import { clusterPart } from '../../../../operator/kafka/cluster-part.js';
import { rightsOf } from '../../../../operator/kafka/user-rights.js';
import type { Acl, UserAnswer } from '../../../../operator/kafka/users.js';
import { ExternalCall, type Manifest } from '../../../../operator/runtime/index.js';
import { factsOf, type GivenFacts } from '../../../../operator/testing/index.js';
import { credentialHash } from '../../../../src/index.js';
import { givenRotation, kafka } from './given-rotation.js';

/** Data of a Secret, decoded or not. */
export type Texts = Readonly<Record<string, string>>;

const now = new Date('2026-11-27T12:00:00Z');
export const at = now.getTime();
export const current = { username: 'orders_a', password: 'secret of a' };
export const next = { username: 'orders_b', password: 'secret of b' };
const prefixed = (prefix: string, data: Texts): Texts =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [`${prefix}.${key}`, text]));
const encoded = (data: Texts) =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
const decoded = (data: Texts = {}) =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]));
const secret = (name: string, data: Texts) =>
  ({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, data: encoded(data) }) as const;
export const target = { ...current, 'bootstrap.servers': 'earlier:9092', 'ca.crt': 'earlier authority' };
/** The Secrets before the first user works. */
export const first = [secret('orders-rotation', prefixed('next', current))];
const settled = [secret('orders-rotation', prefixed('current', current)), secret('orders-login', target)];
/** The Secrets while the next user is kept. */
export const changing = [
  secret('orders-rotation', { ...prefixed('current', current), ...prefixed('next', next) }),
  secret('orders-login', target),
];

/** What names the rotation. */
export const mark: Acl = {
  ...{ resource: 'Group', name: 'reconstruct.dev/SecretRotation/shop/orders' },
  ...{ pattern: 'Literal', operation: 'Describe', permission: 'Deny' },
};
export const { acls, quotas } = rightsOf(kafka.user.spec as never);
export const absent: UserAnswer = { hasCredential: false, acls: [], quotas: {} };
export const retired: UserAnswer = { hasCredential: false, acls: [mark, ...acls], quotas };
export const works: UserAnswer = { ...retired, hasCredential: true, accepts: true };
export const unproved: UserAnswer = { ...retired, hasCredential: true };

/** What is known of a rotation of the KafkaUser `shop`. */
export interface Given {
  readonly owned?: GivenFacts['owned'];
  readonly users: readonly [UserAnswer | string, UserAnswer | string];
  readonly reads?: object;
  readonly calls?: GivenFacts['calls'];
  readonly phase?: string;
  /** Hours since the credential was written. @default 2 */
  readonly age?: number;
  readonly isDeleting?: boolean;
  readonly status?: object;
}

/** The input of `desire` and `assess`. */
export function factsIn({ owned = settled, users, reads, calls, phase, age = 2, isDeleting, status }: Given) {
  const consumers = phase === undefined ? [] : [{ deployment: 'shop' }];
  const rotated = new Date(at - age * 3_600_000).toISOString();
  const resource = givenRotation(
    { source: { kafkaUser: { name: 'shop' } }, consumers },
    { status: { credential: credentialHash(current), rotated, conditions: [], ...status } as never },
  );
  const metadata = { ...resource.metadata, ...(isDeleting && { deletionTimestamp: now.toISOString() }) };
  const told = (user: UserAnswer | string) =>
    typeof user === 'string'
      ? { known: false, why: user, since: at, earlier: [] }
      : { known: true, value: user, at, earlier: [] };
  const states = [{ kind: 'Deployment', name: 'shop', phase }];
  const polled = {
    ...{ drawn: { known: true, value: { password: 'secret of the next one' }, at, earlier: [] }, logins: undefined },
    ...{ userA: told(users[0]), userB: told(users[1]) },
    workloads: phase && { known: true, value: { hash: contentHash(encoded(target)), states }, at, earlier: [] },
  };
  const { user, cluster, authority } = kafka;
  const found = {
    database: undefined,
    kafkaUser: { cluster: 'events', authentication: 'Scram', rights: rightsOf(user.spec as never) },
    kafkaClusters: [clusterPart(cluster as never)],
    kafkaAuthorities: [{ name: authority.metadata.name, trusted: 'authority' }],
    ...reads,
  };
  const given = { owned, polled, now, reads: found, ...(calls && { calls }) } as unknown as GivenFacts;
  return factsOf({ ...resource, metadata } as SecretRotationResource, given);
}

/** The calls by their names, without how the cluster is reached, and the decoded Secrets. */
export function rendered(given: Given) {
  const chart = new Chart(new App(), 'rotation', { namespace: 'shop' });
  secretRotation.desire(chart, factsIn(given) as never);
  const calls = chart.node.findAll().filter(ExternalCall.isExternalCall);
  const secrets = chart.toJson() as (Manifest & { readonly data: Texts })[];
  return {
    calls: Object.fromEntries(
      calls.map(({ node, props }) => {
        const { cluster: _, namespace: __, secret: ___, bootstrap: ____, ...request } = props.request as Texts;
        return [node.id, request];
      }),
    ),
    secrets: Object.fromEntries(secrets.map(({ metadata, data }) => [metadata.name, decoded(data)])),
  };
}
