import type { EtcdClusterSpec } from '../../../imports/index.js';

/**
 * How a member with an empty volume begins. It has no effect on a member with data.
 *
 * - `new`: the first members form a cluster together. All of them must have the same list.
 * - `existing`: etcd has the member already, as a learner that has not started.
 */
export interface FirstStart {
  readonly state: 'new' | 'existing';
  /** The names of all members that the cluster has, with its own. */
  readonly members: readonly string[];
}

/** The settings of the Pod of a member. */
export interface MemberPod {
  /** The name of the EtcdCluster. */
  readonly name: string;
  readonly namespace: string;
  /** The name of the Pod, of the PVC and of the member in etcd, such as `store-2`. */
  readonly member: string;
  readonly spec: EtcdClusterSpec;
  readonly image: string;
  /** Tells clusters of the same name apart: the UID of the EtcdCluster. */
  readonly token: string;
  /**
   * Set it only for a member that has never started. A member that has started and lost its volume has forgotten what it
   * confirmed to the others, so etcd must not start it again as the same member.
   * @default - etcd ends if the volume is empty
   */
  readonly firstStart?: FirstStart | undefined;
}
