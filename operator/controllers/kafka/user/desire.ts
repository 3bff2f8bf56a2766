import type { Construct } from 'constructs';
import { fingerprint } from '../../../../src/fingerprint.js';
import { KafkaUserCertificate, KafkaUserSecret } from '../../../../src/index.js';
import { accessOf } from '../../../kafka/cluster-part.js';
import { bootstrapServers, otherIssuerSecret } from '../../../kafka/listeners.js';
import { kafkaUsers } from '../../../kafka/users.js';
import { ExternalCall, RejectedError } from '../../../runtime/index.js';
import { isReserved, passwordIn, principalOf, secretNameOf, type UserFacts, userListener } from './facts.js';
import { changesOf, type UserChanges } from './plan.js';

/** Renders the Secret of a user, and the changes in Kafka that are due. */
export function desire(scope: Construct, facts: UserFacts): void {
  const { resource, reads } = facts;
  const { metadata } = resource;
  if (metadata.deletionTimestamp === undefined) {
    rejectReserved(facts);
    if (reads.cluster) renderSecret(scope, facts);
  }
  renderCalls(scope, facts);
}

/** @throws {RejectedError} when the certificate of the user would be that of a node or of the operator */
function rejectReserved({ resource }: UserFacts): void {
  if (!isReserved(resource)) return;
  throw new RejectedError(
    'ReservedName',
    `metadata.name: Invalid value: "${resource.metadata.name}": the certificate of such a user could do everything in Kafka; use another name`,
  );
}

/** @throws {RejectedError} when the cluster has no listener for the user */
function renderSecret(scope: Construct, facts: UserFacts): void {
  const { resource, reads, polled } = facts;
  const { metadata, spec } = resource;
  const { namespace = '' } = metadata;
  const listener = userListener(facts);
  if (!reads.cluster || !listener)
    throw new RejectedError(
      'NoListener',
      `spec.authentication: Invalid value: "${spec.authentication}": KafkaCluster ${spec.cluster.name} has no listener with it; add one to its spec.listeners`,
    );
  const name = secretNameOf(resource);
  if (spec.authentication === 'MutualTls') {
    new KafkaUserCertificate(scope, 'certificate', {
      name,
      namespace,
      cluster: spec.cluster.name,
      username: metadata.name,
    });
    return;
  }
  const password = passwordIn(facts) ?? (polled.drawn?.known ? polled.drawn.value['password'] : undefined);
  if (password === undefined || reads.trusted === undefined) return;
  // Clients of a listener with another issuer trust that one.
  const isTrusted = listener.tls.enabled && otherIssuerSecret(reads.cluster, listener) === undefined;
  new KafkaUserSecret(scope, 'secret', {
    ...{ name, namespace, username: metadata.name, password },
    bootstrapServers: bootstrapServers(reads.cluster, listener),
    ...{ trusted: isTrusted ? reads.trusted : undefined, hasTls: listener.tls.enabled },
  });
}

/** The changes that are due. Undefined while the state of the user is not known. */
export function changesIn(facts: UserFacts): UserChanges | undefined {
  const { resource, polled } = facts;
  if (!polled.user?.known) return undefined;
  const password = passwordIn(facts);
  return changesOf(resource, polled.user.value, password === undefined ? undefined : fingerprint(password));
}

function renderCalls(scope: Construct, facts: UserFacts): void {
  const { resource, reads } = facts;
  const access = accessOf(reads.cluster);
  if (!access) return;
  for (const [name, request] of Object.entries(changesIn(facts) ?? {}))
    new ExternalCall(scope, name, {
      ...{ port: kafkaUsers, request: { ...request, user: principalOf(resource), ...access }, refreshes: ['user'] },
      ...(request.act === 'setPassword' && { secret: secretNameOf(resource) }),
      ...{ timeout: 30_000, visibleWithin: 5_000 },
    });
}
