import type { Configured } from '../config/properties.js';
import type { KafkaNodeRef } from '../naming/identity.js';

/** The settings of the Pod of a node. */
export interface NodePod extends Configured {
  readonly node: KafkaNodeRef;
  readonly image: string;
  /** The identifier of the cluster in Kafka. */
  readonly clusterId: string;
  /** The existing controllers. */
  readonly controllers: readonly KafkaNodeRef[];
  /**
   * Addresses of a broker for clients in other networks, as `HOST:PORT` by listener. A broker does not advertise a listener
   * without one. @default - none
   */
  readonly advertised?: Readonly<Record<string, string>> | undefined;
  /** The names of its additional volumes. @default - those of its group in the spec */
  readonly volumes?: readonly string[] | undefined;
  /**
   * Identifiers of the disks of the first controllers, with which they format their volumes. @default - none: the metadata
   * quorum exists
   */
  readonly firstControllers?: readonly (KafkaNodeRef & { readonly directoryId: string })[] | undefined;
}
