import type { Construct } from 'constructs';
import { certificateKind } from '../../../../imports/index.js';
import {
  type KafkaLogin,
  KafkaUserCertificate,
  KafkaUserConfigMap,
  KafkaUserSecret,
  kafkaClientName,
  UnchangedConfigMap,
  UnchangedSecret,
} from '../../../../src/index.js';
import { accessOf, awaitedReturn } from '../../../kafka/cluster-part.js';
import { bootstrapServers } from '../../../kafka/listeners.js';
import { principalOf } from '../../../kafka/user-rights.js';
import { kafkaUsers } from '../../../kafka/users.js';
import { ConfigMap, ExternalCall, keep, pollValueOf, RejectedError, Secret } from '../../../runtime/index.js';
import { dueSteps } from './plan.js';
import { situationOf } from './situation.js';
import {
  authorityIn,
  isReserved,
  keptPasswordIn,
  needsAuthority,
  secretNameOf,
  trustsCluster,
  type UserView,
  userListener,
} from './view.js';

/** Renders the Secret and the ConfigMap of a user, and the changes in Kafka that are due. */
export function desire(scope: Construct, view: UserView): void {
  if (view.resource.metadata.deletionTimestamp === undefined) {
    rejectReserved(view);
    renderCredentials(scope, view);
  } else {
    // A cluster that comes back on its volumes accepts the login again.
    const why = awaitedReturn(view.resource, view.reads);
    if (why !== undefined) keep(scope, undefined, why);
  }
  renderCalls(scope, view);
}

/** @throws {RejectedError} when the certificate of the user would be that of a node or of the operator */
function rejectReserved({ resource }: UserView): void {
  if (!isReserved(resource)) return;
  throw new RejectedError(
    'ReservedName',
    `metadata.name: Invalid value: "${resource.metadata.name}": the certificate of such a user could do everything in Kafka; use another name`,
  );
}

/**
 * Renders the Secret, or the Certificate that writes it, with a ConfigMap beside it. While an input is missing, what exists
 * stays as it is: another password or key would lock out the clients.
 * @throws {RejectedError} when the cluster has no listener for the user
 */
function renderCredentials(scope: Construct, view: UserView): void {
  const { resource, reads } = view;
  const { metadata, spec } = resource;
  const { namespace = '' } = metadata;
  if (reads.cluster && !userListener(view))
    throw new RejectedError(
      'NoListener',
      `spec.authentication: Invalid value: "${spec.authentication}": KafkaCluster ${spec.cluster.name} has no listener with it; add one to its spec.listeners`,
    );
  if (spec.authentication === 'Scram') {
    renderSecret(scope, view);
    return;
  }
  renderConfigMap(scope, view);
  if (!reads.cluster && view.owned.of(certificateKind).length === 0) return;
  new KafkaUserCertificate(scope, 'certificate', {
    name: secretNameOf(resource),
    ...{ namespace, cluster: spec.cluster.name, username: metadata.name },
  });
}

/** The settings of a client. Without a listener, they stay as they are, and follow the name of the Secret. */
function renderConfigMap(scope: Construct, view: UserView): void {
  const { resource, reads, owned } = view;
  const { namespace = '' } = resource.metadata;
  const name = kafkaClientName(secretNameOf(resource));
  const listener = userListener(view);
  if (reads.cluster && listener) {
    new KafkaUserConfigMap(scope, 'client', {
      ...{ name, namespace, trustsCluster: trustsCluster(view) },
      bootstrapServers: bootstrapServers(reads.cluster, listener),
    });
    return;
  }
  const all = owned.of(ConfigMap);
  const live = all.find(({ metadata }) => metadata.name === name) ?? all[0];
  if (live) new UnchangedConfigMap(scope, 'client', { name, namespace, data: live.data });
}

function renderSecret(scope: Construct, view: UserView): void {
  const { resource, owned } = view;
  const { name: username, namespace = '' } = resource.metadata;
  const login = loginOf(view);
  if (login) {
    new KafkaUserSecret(scope, 'secret', { name: secretNameOf(resource), namespace, username, ...login });
    return;
  }
  for (const { metadata, type, data } of owned.of(Secret))
    new UnchangedSecret(scope, `secret-${metadata.name}`, { name: metadata.name, namespace, type, data });
}

/** What the Secret must have. Undefined while a part of it is missing. */
function loginOf(view: UserView): Omit<KafkaLogin, 'username'> | undefined {
  const { reads, polled } = view;
  const listener = userListener(view);
  const password = keptPasswordIn(view) ?? pollValueOf(polled.drawn)?.['password'];
  const trusted = needsAuthority(view) ? authorityIn(view) : undefined;
  if (!reads.cluster || !listener || password === undefined || trusted === '') return undefined;
  return {
    ...{ password, trusted, hasTls: listener.tls.enabled },
    bootstrapServers: bootstrapServers(reads.cluster, listener),
  };
}

function renderCalls(scope: Construct, view: UserView): void {
  const { resource, reads } = view;
  const access = accessOf(reads.cluster);
  if (!access) return;
  for (const [name, request] of Object.entries(dueSteps(situationOf(view))))
    new ExternalCall(scope, name, {
      ...{ port: kafkaUsers, request: { ...request, user: principalOf(resource), ...access }, refreshes: ['user'] },
      ...(request.act === 'setPassword' && { secret: secretNameOf(resource) }),
      timeout: 30_000,
    });
}
