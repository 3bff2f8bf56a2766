import type { KafkaUserResource, SecretRotationResource } from '../../../../imports/index.js';
import type { ClusterPart } from '../../../kafka/cluster-part.js';
import { type Rights, rightsOf } from '../../../kafka/user-rights.js';
import type { LiveSecret } from '../../../runtime/index.js';

/** What a rotation needs to know of a KafkaUser. */
export interface KafkaUserPart {
  /** The name of its KafkaCluster. */
  readonly cluster: string;
  readonly authentication: KafkaUserResource['spec']['authentication'];
  readonly rights: Rights;
}

/** Reads these parts. Most changes of a KafkaUser change none of them. */
export function kafkaUserPart({ spec }: KafkaUserResource): KafkaUserPart {
  return { cluster: spec.cluster.name, authentication: spec.authentication, rights: rightsOf(spec) };
}

/** The CA certificates of the listeners of a KafkaCluster. */
export interface AuthorityPart {
  /** The name of the Secret. */
  readonly name: string;
  /** PEM. */
  readonly trusted: string;
}

/** Reads these parts of a Secret. */
export function authorityPart({ metadata, data = {} }: LiveSecret): AuthorityPart {
  return { name: metadata.name, trusted: Buffer.from(data['ca.crt'] ?? '', 'base64').toString() };
}

/** A rotation and the objects from which its users in Kafka follow. */
export interface KafkaSource {
  readonly resource: SecretRotationResource;
  readonly reads: {
    readonly kafkaUser: KafkaUserPart | undefined;
    readonly kafkaClusters: readonly ClusterPart[];
    readonly kafkaAuthorities: readonly AuthorityPart[];
  };
}
