import { objectName } from '../fields/names.js';
import { duration, integer, object, type Rule, string } from '../schema/index.js';

const port = (description: string) => integer(description, { minimum: 1, maximum: 65_535 });

const redis = object(
  'Redis 7 or 8, or Valkey 8, without Sentinel and without Redis Cluster. Each candidate starts it with the launcher `leader-launcher`.',
  {
    port: integer('Port of the server. Defaults to 6379.', { minimum: 1, maximum: 65_535, default: 6379 }),
    authSecretRef: object(
      'Secret in the same namespace with the key `password`, and the key `username` unless the user is `default`. Replicas and the operator log in with it. Defaults to none.',
      { name: objectName('Name of the Secret.') },
      { optional: true },
    ),
    tls: object(
      'TLS of the server port. The operator and the replicas connect with TLS. Defaults to no TLS.',
      {
        caSecretRef: object(
          'Secret in the same namespace whose key `ca.crt` has the trusted certificate authorities.',
          { name: objectName('Name of the Secret.') },
        ),
        serverName: string(
          'Host name that the certificate of each server must have. Defaults to the name of `service` in its namespace, such as `cache.shop.svc`.',
          { minLength: 1, maxLength: 253, optional: true },
        ),
      },
      { optional: true },
    ),
  },
  { optional: true },
);

const hook = (description: string) =>
  object(description, {
    http: object('HTTP request to the address of the Pod.', {
      path: string('Path of the request. It starts with `/`.', {
        minLength: 1,
        maxLength: 1024,
        pattern: '^/[^?# ]*$',
      }),
      port: port('Port of the Pod.'),
    }),
    timeout: duration('Time that a request has. Defaults to 10s.', { minimum: '1s', maximum: '30s', default: '10s' }),
  });

const hooks = object(
  'Any application that answers three HTTP requests. The requests that change it have a JSON document with the term.',
  {
    promote: hook('POST request that makes a Pod the leader. It succeeds with a status from 200 to 299.'),
    demote: hook('POST request that makes a Pod a follower. The Pod is deleted afterwards, whatever it answers.'),
    status: hook(
      'GET request that returns a JSON document such as `{"role": "leader", "term": 7}`. The role is leader, replica or none, and the term is the one of the last hook.',
    ),
  },
  { optional: true },
);

const label = object(
  'Any application that reads its role. The Pod of the leader has the label `reconstruct.dev/leader=true`, and each Pod has the term in the annotation `reconstruct.dev/leader-term`.',
  {},
  { optional: true },
);

/** The types of applications. */
export const applicationTypes = ['redis', 'hooks', 'label'] as const;
type Application = { readonly [type in (typeof applicationTypes)[number]]?: unknown };

const ONE_TYPE: Rule = {
  rule: `[${applicationTypes.map((one) => `has(self.${one})`).join(', ')}].exists_one(is, is)`,
  message: 'must have exactly one type; set redis, hooks or label',
  holds: (application: Application) => applicationTypes.filter((one) => application[one] !== undefined).length === 1,
};

const SAME_TYPE: Rule = {
  rule: applicationTypes.map((one) => `has(self.${one}) == has(oldSelf.${one})`).join(' && '),
  message: 'must stay of one type; create another LeaderElection with the new type',
};

/** `spec.application`. */
export const application = object(
  'Application of the candidates. Exactly one field must be set.',
  { redis, hooks, label },
  { rules: [ONE_TYPE, SAME_TYPE] },
);
