const switchoverAdvice =
  'If that is not possible, accept the loss: `reconstruct leader switchover NAME --to POD --accept-data-loss`.';

/** Condition types and reasons of a LeaderElection. Each reason has its status and its default message. */
export const conditions = {
  /** Whether a leader leads. */
  Elected: {
    Leading: ['True', 'A leader leads'],
    LeadingByPromises: [
      'True',
      'The leader cannot renew its Lease, and leads on because every candidate promises not to lead',
      'Check the connection from the node of the leader to the API server. The leader stops if one of the candidates does not answer it.',
    ],
    Promoting: [
      'Unknown',
      'A leader is named, and does not lead yet',
      'Wait. The message has what keeps it from leading.',
    ],
    Electing: ['Unknown', 'The next leader is being elected', 'Wait.'],
    LeaseUnknown: [
      'Unknown',
      'The Lease or the Pods have not been read yet',
      'Wait. If it persists, check the permissions of the operator for Leases and Pods.',
    ],
    Fencing: [
      'Unknown',
      'Candidates detach from the earlier leader before another one leads',
      'Wait. If it persists, read the log of the Pods in the message. Delete a Pod that does not detach.',
    ],
    WaitingForLease: [
      'Unknown',
      'The Lease of the earlier leader is still valid',
      'Wait for `leaseDuration`. If the earlier leader renews it, delete its Pod.',
    ],
    WaitingForPod: [
      'Unknown',
      'The Pod of the earlier leader still exists, so it may still lead',
      'Wait for its end. If its node is lost, make sure that the node does not run, then run `kubectl delete pod POD --force`.',
    ],
    CallFailed: [
      'False',
      'A request that elects a leader is refused',
      'Fix the cause in the message. It is often a permission or an admission policy.',
    ],
    Duplicate: [
      'False',
      'An older LeaderElection selects the same Pods, so this one elects no leader',
      'Delete one of the two LeaderElections, or give each one its own labels in `spec.selector`.',
    ],
    NoCandidates: [
      'False',
      'No Pod matches the selector',
      'Compare `spec.selector` with the labels of the Pods, and scale the workload up.',
    ],
    CandidatesSilent: [
      'False',
      'Candidates do not answer the operator',
      'Check that the Pods run with the launcher, and that a NetworkPolicy allows port 7481 from the operator. The message has the cause of each Pod.',
    ],
    NoneReady: ['False', 'No candidate is ready', 'Fix the Pods in the message.'],
    TooFewReplicas: [
      'False',
      'Replicas that may have confirmed writes are missing, so the operator elects no leader',
      `Bring the Pods in the message back. ${switchoverAdvice}`,
    ],
    NoCompleteCopy: [
      'False',
      'No candidate has a complete copy of the data of the last leader',
      `Bring a Pod with the data back, for example with its volume. ${switchoverAdvice}`,
    ],
    DifferentData: [
      'False',
      'Several candidates have data of different histories before the first election',
      'Decide which Pod has the right data: `reconstruct leader switchover NAME --to POD --accept-data-loss`. The data of the other Pods stays, and they join when their data is deleted.',
    ],
  },
  /** Whether clients can use the leader. Present while there is a leader. */
  Serving: {
    Serving: ['True', 'The leader serves clients'],
    NotChecked: ['Unknown', 'The leader has not been asked yet', 'Wait.'],
    ClientsRefused: [
      'False',
      'The leader does not serve a client',
      'Fix the cause in the message. For Redis, compare the password in `authSecretRef` and the certificates with those of the server.',
    ],
    NotReady: [
      'False',
      'The Pod of the leader is not ready',
      'Fix the Pod. The operator replaces the leader after `leaseDuration`.',
    ],
    SecondLeader: [
      'False',
      'Another Pod also reports that it leads',
      'The Service does not lead to it. Fix its hook `demote`, or delete the Pod in the message.',
    ],
  },
  /** Whether enough replicas confirm writes. Present for Redis with `minReplicas`. */
  Replicated: {
    Confirmed: ['True', 'Enough replicas confirm writes'],
    ReplicasUnknown: ['Unknown', 'The leader does not report its replicas', 'Wait. See `Elected`.'],
    WritesRefused: [
      'False',
      'Too few replicas confirm writes, so the leader refuses them',
      'Bring replicas back. The table of `reconstruct status` shows the state of each Pod.',
    ],
  },
  /** Whether all candidates follow the leader. Present while there is a leader. */
  Joined: {
    AllFollow: ['True', 'Every candidate follows the leader'],
    SomeMissing: ['Unknown', 'Candidates do not follow the leader yet', 'Wait, or fix the Pods in the message.'],
    OtherData: [
      'False',
      'Candidates have data that does not belong to the election, and are left alone',
      'Delete the data if it is not needed, for example with the volume of the Pod. If it is the right data, make the Pod the leader: `reconstruct leader switchover NAME --to POD --accept-data-loss`.',
    ],
  },
} as const;
