import type { KafkaAccess, KafkaAddress } from '../../../kafka/access.js';
import type { Port } from '../../../runtime/index.js';

/** Asks for the state of a whole cluster. */
export interface ClusterQuestion extends KafkaAccess {
  /** A reassignment whose size is wanted. @default - none */
  readonly plan?: RebalanceQuestion;
  /** Partitions whose state is wanted. @default - none */
  readonly partitions?: readonly PartitionRef[];
}

/** A partition of a topic. */
export interface PartitionRef {
  readonly topic: string;
  readonly partition: number;
}

/** The state of a partition that was asked for. */
export interface PartitionState extends PartitionRef {
  /** The broker that leads it. Absent while none does. */
  readonly leader?: number;
  readonly replicas: readonly number[];
  /** Replicas that have all acknowledged records, whether their brokers run or not. */
  readonly inSync: readonly number[];
}

/** Asks what a reassignment of partitions would move. */
export interface RebalanceQuestion {
  /** Brokers that must not keep a replica. */
  readonly from: readonly number[];
  /** Brokers that may have replicas. */
  readonly onto: readonly number[];
}

/** A broker as the controllers know it. */
export interface RegisteredBroker {
  readonly id: number;
  readonly rack?: string;
  /** A fenced broker is registered and serves nothing: it is down, starting, or was taken out. */
  readonly isFenced: boolean;
}

/** A member of the metadata quorum. */
export interface QuorumMember {
  readonly id: number;
  /** Identifier of its disk, a UUID in base64url without padding. */
  readonly directoryId: string;
  readonly logEndOffset: number;
  /** Milliseconds since 1970 at which it last had all records of the leader. Absent if unknown. */
  readonly caughtUpAt?: number;
}

/** A volume of a broker. */
export interface BrokerVolume {
  /** Its log directory. */
  readonly directory: string;
  /** Total and usable bytes. Absent if it has failed, or if the broker does not report them. */
  readonly size?: { readonly total: number; readonly usable: number };
  /** The broker cannot use it. */
  readonly hasFailed?: boolean;
}

/** What a broker has. */
export interface BrokerLoad {
  /** Replicas on it, by the metadata. */
  readonly replicas: number;
  /** Partitions that it leads. */
  readonly leaders: number;
  /** Partitions whose preferred leader it is. */
  readonly preferred: number;
  /** Partitions of which it has the only replica in sync. */
  readonly sole: number;
  /** Partitions that have one replica, on this broker. */
  readonly unreplicated: number;
  /**
   * Partitions that would have fewer in-sync replicas than min(replicas, min.insync.replicas) without it, or that have fewer
   * and of which it has a replica that catches up.
   */
  readonly blocking: number;
  /** How many of `blocking` have all replicas in sync already, such as those with one replica. To wait does not help. */
  readonly unavoidable: number;
  /** Some of `blocking`, such as `orders-3`, at most five, sorted. */
  readonly blockingNames: readonly string[];
  /** Topics with a replica on it whose min.insync.replicas the brokers did not report. They are not in `blocking`. */
  readonly unknownMinIsr: number;
  /** Some of `unknownMinIsr`, at most five, sorted. */
  readonly unknownMinIsrTopics: readonly string[];
  /** Bytes of its log directories, absent if it does not answer. */
  readonly bytes?: number;
  /** Its volumes, absent if it does not answer. */
  readonly volumes?: readonly BrokerVolume[];
}

/** What a reassignment moves. */
export interface Moves {
  /** Partitions that get other replicas. */
  readonly partitions: number;
  /** Bytes that are copied for them. */
  readonly bytes: number;
  /** Bytes that the broker with the most of them sends or receives. A limit per broker makes them take the longest. */
  readonly busiest: number;
}

/** A user that the operator created. */
export interface MarkedLogin {
  /** Its principal, without `User:`. */
  readonly user: string;
  /** The owners in its marks, such as `KafkaUser`, sorted. */
  readonly owners: readonly string[];
  /** How many of the ACLs that refuse everything it has. */
  readonly denied: 'all' | 'some' | 'none';
}

/** A topic that has a mark of the operator: a KafkaTopic with `deletionPolicy: Delete` has it, or had it. */
export interface MarkedTopic {
  readonly topic: string;
  /** The mark stays when a topic is deleted. */
  readonly exists: boolean;
  /** It was there when no KafkaTopic had it any more, as a further mark has it. */
  readonly isUnclaimed: boolean;
}

/** The state of a cluster, read from its metadata. */
export interface ClusterAnswer {
  readonly clusterId: string;
  readonly brokers: readonly RegisteredBroker[];
  readonly quorum: {
    readonly leader: number;
    readonly voters: readonly QuorumMember[];
    readonly observers: readonly QuorumMember[];
  };
  /**
   * Level of the feature `metadata.version`: the finalized one, and the range that all brokers support that serve. The range
   * is empty if one of them does not report it. `finalized` is absent if the brokers do not report it.
   */
  readonly metadataVersion: { readonly finalized?: number; readonly minimum: number; readonly maximum: number };
  /** By the id of each broker that is registered or has a replica. */
  readonly load: Readonly<Record<number, BrokerLoad>>;
  readonly partitions: {
    readonly total: number;
    /** Fewer replicas in sync than assigned, not counting those that a reassignment adds. */
    readonly underReplicated: number;
    readonly underMinIsr: number;
    readonly offline: number;
    readonly reassigning: number;
    /** The highest number of replicas of a partition, and the name of a topic that has it. */
    readonly highestReplication: number;
    readonly highestTopic?: string;
  };
  /** The partitions that were asked for, without those that do not exist. */
  readonly asked?: readonly PartitionState[];
  /** Users with a mark of the operator, by name. Absent if the cluster has no ACLs. */
  readonly logins?: readonly MarkedLogin[];
  /** Topics with a mark of the operator, by name. Absent if the cluster has no ACLs. */
  readonly topics?: readonly MarkedTopic[];
  /** Dynamic configuration of all brokers, by name. Values of sensitive properties are absent, and so is `throttle`. */
  readonly config: Readonly<Record<string, string>>;
  /**
   * Names of dynamic properties that single brokers have, by their IDs, sorted: another user has set them. They outrank `config`,
   * and the broker keeps them when it is restarted. Absent if no broker that answers has any.
   */
  readonly overrides?: Readonly<Record<number, readonly string[]>>;
  /** Bytes per second that each broker may send and receive for a reassignment. Absent without a limit. */
  readonly throttle?: number;
  /**
   * What the asked reassignment would still move: partitions that get other replicas, and the bytes that are copied for them.
   * Replicas that are already moving do not count.
   */
  readonly moves?: Moves;
}

/** Changes one thing of a cluster. */
export type ClusterRequest = KafkaAccess &
  (
    | /** Moves replicas from brokers, and spreads them over `onto` by racks, number and bytes. At most `throttle` bytes per second. */
    ({ readonly act: 'reassign'; readonly throttle: number } & RebalanceQuestion)
    /** Removes the limits of a reassignment that has ended. */
    | { readonly act: 'unthrottle' }
    /** Makes the preferred replica of each partition its leader. */
    | { readonly act: 'electLeaders' }
    /**
     * Makes a replica that is alive the leader of each of these partitions, although it may lack acknowledged records, which
     * are lost. Changes no partition that has a leader, and no other one.
     */
    | { readonly act: 'electUncleanLeaders'; readonly partitions: readonly PartitionRef[] }
    /** Removes the registration of a broker. Rejected while a partition has a replica on it, or while it is not fenced. */
    | { readonly act: 'unregister'; readonly broker: number }
    | {
        readonly act: 'addVoter';
        readonly id: number;
        readonly directoryId: string;
        readonly address: KafkaAddress;
      }
    | { readonly act: 'removeVoter'; readonly id: number; readonly directoryId: string }
    /** Raises the level of `metadata.version`, which older nodes then cannot join. */
    | { readonly act: 'finalize'; readonly level: number }
    /** Sets and removes dynamic configuration of all brokers. */
    | {
        readonly act: 'configure';
        readonly set: Readonly<Record<string, string>>;
        readonly remove: readonly string[];
      }
    /** Denies everything to users that still have a mark of the operator. Their passwords and ACLs stay. */
    | { readonly act: 'refuseLogins'; readonly users: readonly string[] }
    /** Removes these denials. */
    | { readonly act: 'allowLogins'; readonly users: readonly string[] }
    /**
     * Gives `claimed` topics their mark, and removes the marks of `released` ones. `unclaimed` topics have a mark and no
     * KafkaTopic: those that still exist are marked as unclaimed, and the rest lose their marks.
     */
    | {
        readonly act: 'markTopics';
        readonly claimed: readonly string[];
        readonly released: readonly string[];
        readonly unclaimed: readonly string[];
      }
    /**
     * Has a node read the certificates of its listeners, and the authorities that they trust, from its files. Connections that
     * exist go on. Kafka does not tell whether it could read them: a handshake shows it. The connection of a node to the metadata
     * quorum keeps those with which the node started. The address is that of the broker, or of the active controller for a
     * controller.
     */
    | { readonly act: 'reload'; readonly node: number; readonly address: KafkaAddress }
  );

/** The brokers and controllers of a KafkaCluster. */
export const kafkaCluster: Port<ClusterQuestion, ClusterAnswer, ClusterRequest> = {
  name: 'reconstruct/kafka-cluster',
  formerName: 'kafka-cluster',
  secrets: 'any',
  visibleWithin: 10_000,
};
