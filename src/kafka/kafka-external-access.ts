import { Construct } from 'constructs';
import type { KafkaClusterSpec } from '../../imports/index.js';
import { KubeObject } from '../manifest/kube-object.js';
import { externalListeners } from './external/addresses.js';
import { externalRoutes, externalServices } from './external/services.js';
import { type KafkaClusterRef, kafkaIdentity } from './naming/identity.js';

/** Props of {@link KafkaExternalAccess}. */
export interface KafkaExternalAccessProps extends KafkaClusterRef {
  readonly spec: Pick<KafkaClusterSpec, 'listeners' | 'version'>;
  /** IDs of the brokers. */
  readonly brokers: readonly number[];
  /** Whether the API server has TLSRoutes. @default true */
  readonly hasRoutes?: boolean;
}

/** The Services and TLSRoutes with which clients in other networks reach the brokers. */
export class KafkaExternalAccess extends Construct {
  constructor(scope: Construct, id: string, { spec, brokers, hasRoutes = true, ...cluster }: KafkaExternalAccessProps) {
    super(scope, id);
    const identity = { ...kafkaIdentity(this, cluster), version: spec.version };
    const manifests = externalListeners(spec).flatMap((listener) => [
      ...externalServices(identity, listener, brokers),
      ...(hasRoutes ? externalRoutes(identity, listener, brokers) : []),
    ]);
    for (const manifest of manifests)
      new KubeObject(this, `${manifest.kind.toLowerCase()}-${manifest.metadata.name}`, manifest);
  }
}
