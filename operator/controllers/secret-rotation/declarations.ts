import {
  databaseKind,
  type KafkaUserResource,
  kafkaClusterKind,
  kafkaUserKind,
  type SecretRotationResource,
} from '../../../imports/index.js';
import { kafkaObjectNames } from '../../../src/index.js';
import { clusterPart } from '../../kafka/cluster-part.js';
import { type Rights, rightsOf } from '../../kafka/user-rights.js';
import { type Facts, type LiveSecret, type Refer, Secret } from '../../runtime/index.js';

/** Kinds that a SecretRotation owns. */
export const owns = [Secret] as const;

type Stated = Pick<SecretRotationResource, 'metadata' | 'spec'>;

/** The Database whose logins rotate, or the KafkaUser whose rights two users of its KafkaCluster have. */
export const reads = (refer: Refer<SecretRotationResource>) => ({
  database: refer.named(databaseKind, ({ spec }) => spec.source.database?.name, partOfDatabase),
  kafkaUser: refer.named(kafkaUserKind, ({ spec }) => spec.source.kafkaUser?.name, partOfKafkaUser),
  /** All of the namespace, because the KafkaUser names its own. */
  kafkaClusters: refer.byIndex(
    kafkaClusterKind,
    { indexFunc: ({ metadata }) => [metadata.namespace ?? ''], values: namespaceOf },
    clusterPart,
  ),
  /** The CA certificates of listeners with the issuer of their cluster. */
  kafkaAuthorities: refer.byIndex(Secret, { indexFunc: authorityOf, values: namespaceOf }, partOfAuthority),
});

function namespaceOf({ metadata, spec }: Stated): readonly string[] {
  return spec.source.kafkaUser ? [metadata.namespace ?? ''] : [];
}

function authorityOf({ metadata }: LiveSecret): readonly string[] {
  return metadata.name.endsWith(kafkaObjectNames('').nodeCertificate) ? [metadata.namespace ?? ''] : [];
}

function partOfAuthority({ metadata, data = {} }: LiveSecret) {
  return { name: metadata.name, trusted: Buffer.from(data['ca.crt'] ?? '', 'base64').toString() };
}

/** What a rotation needs to know of a KafkaUser. */
export interface KafkaUserPart {
  /** The name of its KafkaCluster. */
  readonly cluster: string;
  readonly authentication: KafkaUserResource['spec']['authentication'];
  readonly rights: Rights;
}

function partOfKafkaUser({ spec }: KafkaUserResource): KafkaUserPart {
  return { cluster: spec.cluster.name, authentication: spec.authentication, rights: rightsOf(spec) };
}

/** What a rotation needs to know of a Database. */
export interface DatabasePart {
  readonly database: string;
  readonly owner: string;
  /** Grows at each failover and restore. */
  readonly timeline: number;
}

function partOfDatabase({ spec, status }: NonNullable<(typeof databaseKind)['resource']>): DatabasePart {
  const { database, owner } = spec.bootstrap;
  return { database, owner, timeline: status?.timeline ?? 0 };
}

/** The input of `polls`, `desire` and `assess` that does not change with time. */
export type StableRotation = Pick<
  Facts<SecretRotationResource, (typeof owns)[number], ReturnType<typeof reads>>,
  'resource' | 'owned' | 'reads'
>;
