import { kafkaClusterSpec, kafkaUserSpec, secretRotationSpec, withDefaults } from '../../../../crds/index.js';
import type { SecretRotationResource, SecretRotationSpecInput } from '../../../../imports/index.js';
import { type LoginState, logins } from '../../../../operator/controllers/secret-rotation/ports/logins.js';
import { draw } from '../../../../operator/passwords/draw.js';
import { CallError } from '../../../../operator/runtime/index.js';
import { fakeSource, portModel } from '../../../../operator/testing/index.js';

/** A PostgreSQL that is not a Database of the operator. */
export const postgres = {
  ...{ host: 'db.example.com', database: 'shop', owner: 'shop', adminSecretRef: { name: 'admin' } },
};

/** The rotation `orders` in the namespace `shop`. */
export function givenRotation(
  spec: Partial<SecretRotationSpecInput> = {},
  { status, annotations }: { status?: SecretRotationResource['status']; annotations?: Record<string, string> } = {},
): SecretRotationResource {
  const input = { secretName: 'orders-login', source: { postgres }, ...spec } as SecretRotationSpecInput;
  return {
    apiVersion: 'reconstruct.dev/v1alpha1',
    kind: 'SecretRotation',
    metadata: { name: 'orders', namespace: 'shop', ...(annotations && { annotations }) },
    spec: withDefaults(secretRotationSpec, input),
    ...(status && { status }),
  } as unknown as SecretRotationResource;
}

/** A Kafka cluster with a user, as a rotation reads them. */
export const kafka = (() => {
  const namespace = 'shop';
  const acls = [{ resource: { type: 'Topic', name: 'orders' }, operations: ['Read', 'Write'] }];
  const cluster = {
    ...{
      apiVersion: 'reconstruct.dev/v1alpha1',
      kind: 'KafkaCluster',
      metadata: { name: 'events', namespace },
    },
    spec: withDefaults(kafkaClusterSpec, { brokers: { storage: { size: '1Gi' } } }),
    status: { nodes: [0, 1, 2].map((id) => ({ name: `events-broker-${id}`, id, role: 'Broker', state: 'Running' })) },
  };
  const user = {
    ...{ apiVersion: 'reconstruct.dev/v1alpha1', kind: 'KafkaUser', metadata: { name: 'shop', namespace } },
    spec: withDefaults(kafkaUserSpec, {
      ...{ cluster: { name: 'events' }, acls, quotas: { producerByteRate: '1Mi' } },
    } as never),
  };
  const authority = {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'events-nodes-tls', namespace } },
    data: { 'ca.crt': Buffer.from('authority').toString('base64') },
  };
  return { cluster, user, authority, all: [cluster, user, authority] };
})();

/** Values that depend on nothing but the question. */
export const drawn = fakeSource(draw, ({ replaces, keys, length }) =>
  Object.fromEntries(keys.map((key) => [key, `${key} after ${replaces}`.padEnd(length, '.')])),
);

interface Role {
  readonly canLogin: boolean;
  /** Identifies its credential. */
  readonly hash?: string;
  readonly inUse?: boolean;
  readonly isForeign?: boolean;
}

type Roles = Readonly<Record<string, Role>>;

/** A PostgreSQL with some roles. */
export const server = (roles: Roles = {}) =>
  portModel(logins, {
    state: roles,
    answer: (all, { logins: names, current, next }) => {
      const accepted = (kept?: { readonly login: string; readonly hash: string }) =>
        kept && { is: all[kept.login]?.canLogin === true && all[kept.login]?.hash === kept.hash };
      const [now, then] = [accepted(current), accepted(next)];
      const found = names.flatMap((name): [string, LoginState][] => {
        const role = all[name];
        if (!role) return [];
        const { canLogin, inUse = false, isForeign = false } = role;
        return [[name, { canLogin, inUse, isOurs: !isForeign }]];
      });
      return {
        roles: Object.fromEntries(found),
        accepts: { ...(now && { current: now.is }), ...(then && { next: then.is }) },
        authority: 'authority',
      };
    },
    perform: (all, request) => {
      const { login } = request;
      const before = all[login];
      if (before?.isForeign) throw new CallError('terminal', `role ${login} exists`);
      if (request.act === 'allow') return { ...all, [login]: { canLogin: true, hash: request.hash } };
      if (before?.inUse) throw new CallError('retryable', 'sessions are open', { mayHaveEffect: false });
      return { ...all, [login]: { canLogin: false } };
    },
    showsWithin: 0,
  });
