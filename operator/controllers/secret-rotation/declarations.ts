import { databaseKind, kafkaClusterKind, kafkaUserKind, type SecretRotationResource } from '../../../imports/index.js';
import { kafkaObjectNames } from '../../../src/index.js';
import { clusterPart } from '../../kafka/cluster-part.js';
import { type Found, type LiveSecret, type Refer, Secret } from '../../runtime/index.js';
import { authorityPart, kafkaUserPart } from './kafka/source.js';

/** Kinds that a SecretRotation owns. */
export const owns = [Secret] as const;

type Stated = Pick<SecretRotationResource, 'metadata' | 'spec'>;

/** The Database whose logins rotate, or the KafkaUser whose rights two users of its KafkaCluster have. */
export const reads = (refer: Refer<SecretRotationResource>) => ({
  database: refer.named(databaseKind, ({ spec }) => spec.source.database?.name, databasePart),
  kafkaUser: refer.named(kafkaUserKind, ({ spec }) => spec.source.kafkaUser?.name, kafkaUserPart),
  /** All of the namespace, because the KafkaUser names its own. */
  kafkaClusters: refer.byIndex(
    kafkaClusterKind,
    { indexFunc: ({ metadata }) => [metadata.namespace ?? ''], values: namespaceOf },
    clusterPart,
  ),
  /** The CA certificates of listeners with the issuer of their cluster. */
  kafkaAuthorities: refer.byIndex(Secret, { indexFunc: authorityOf, values: namespaceOf }, authorityPart),
});

/** The objects that `reads` finds. */
export type RotationReads = Found<ReturnType<typeof reads>>;

function namespaceOf({ metadata, spec }: Stated): readonly string[] {
  return spec.source.kafkaUser ? [metadata.namespace ?? ''] : [];
}

function authorityOf({ metadata }: LiveSecret): readonly string[] {
  return metadata.name.endsWith(kafkaObjectNames('').nodeCertificate) ? [metadata.namespace ?? ''] : [];
}

/** What a rotation needs to know of a Database. */
export interface DatabasePart {
  readonly database: string;
  readonly owner: string;
  /** Grows at each failover and restore. */
  readonly timeline: number;
}

function databasePart({ spec, status }: NonNullable<(typeof databaseKind)['resource']>): DatabasePart {
  const { database, owner } = spec.bootstrap;
  return { database, owner, timeline: status?.timeline ?? 0 };
}
