/** Condition types and reasons of the instances of a Database. Each reason has its status and its default message. */
export const conditions = {
  /** Whether the desired number of instances exists, on volumes of the size in `spec.storage`. */
  Provisioned: {
    InstancesReady: ['True', 'All instances are ready'],
    Provisioning: ['Unknown', 'Instances are being created or removed'],
    Restoring: ['Unknown', 'The first instance is being restored from a backup'],
    Resizing: ['Unknown', 'Volumes are being expanded'],
    VolumeNearlyFull: ['False', 'A volume is nearly full; increase spec.storage.size'],
    InstanceNotReady: ['False', 'An instance fails to become ready'],
    Diverged: [
      'False',
      'A replica can no longer follow the primary, and the volume of an earlier instance is still kept',
    ],
  },
  /** Whether the Database accepts writes. */
  Available: {
    Serving: ['True', 'The primary accepts writes'],
    Initializing: ['Unknown', 'The first instance is being created'],
    Terminating: ['Unknown', 'The Database is being deleted, and its instances are stopping'],
    NoPrimary: ['False', 'No instance is the primary'],
    PrimaryNotReady: ['False', 'The primary is not ready; if a replica can take over, it does so within 30 seconds'],
    PrimaryVolumeFull: ['False', 'The volume of the primary is full; increase spec.storage.size'],
    SplitBrain: ['False', 'More than one instance reports that it is the primary'],
  },
  /** Whether the replicas follow the primary. */
  Replicated: {
    Streaming: ['True', 'Every replica follows the primary'],
    SingleInstance: ['True', 'The Database has one instance, so nothing is replicated'],
    Initializing: ['Unknown', 'Replicas are being created for the first time'],
    Degraded: ['False', 'A replica does not follow the primary'],
    TooFewSyncReplicas: ['False', 'Fewer replicas confirm commits than spec.synchronous.replicas requires'],
    PrimaryStatusUnknown: ['Unknown', 'The primary does not report which replicas follow it'],
  },
  /** Whether the write-ahead log reaches the archive. */
  Archived: {
    ArchivingDisabled: ['True', 'Backups are disabled, so the write-ahead log is not archived'],
    Archiving: ['True', 'Writes reach the archive within minutes'],
    ArchivingFailing: [
      'False',
      'The write-ahead log does not reach the archive; later writes exist only on the instances and fill their volumes',
    ],
    PrimaryStatusUnknown: ['Unknown', 'The primary does not report which part of its log waits for the archive'],
  },
  /** Whether every instance runs the current spec, with the passwords of the Secrets. */
  UpToDate: {
    UpToDate: ['True', 'Every instance runs the current spec'],
    Updating: ['Unknown', 'Instances are applying parameters or being replaced, replicas first'],
    Restarting: ['Unknown', 'The primary restarts in place, because it must apply lower limits before its replicas'],
    ApplyingPasswords: ['Unknown', 'Instances are applying the passwords of the Secrets'],
    PasswordNotApplied: ['False', 'PostgreSQL does not have a password of the Secrets'],
    ParameterRefused: [
      'False',
      'PostgreSQL refuses a parameter, and keeps its earlier value; correct or remove it in spec.parameters',
    ],
    UpdateStalled: ['False', 'The rollout is stalled, because an instance does not become healthy'],
    RestartPending: [
      'False',
      'A parameter change is still pending after a restart; delete the Pod to restart it again',
    ],
  },
  /** Whether instances are spread as `spec.placement` requests. */
  Placed: {
    Spread: ['True', 'Every instance is in its own zone'],
    ZoneShared: ['False', 'Instances share a zone, so a failure of that zone stops more than one instance'],
    Unschedulable: ['False', 'No node can run an instance'],
    NodeLost: ['False', 'The node of an instance is not ready'],
    NodeDeleted: ['False', 'The node that has the volume of an instance no longer exists'],
    NodeDraining: ['Unknown', 'The node of an instance is cordoned'],
    PlacementUnknown: ['Unknown', 'The zone of an instance is unknown'],
    NodesForbidden: ['Unknown', 'The operator has no permission to read Nodes, so the zone of an instance is unknown'],
  },
  /** Present while the operator withholds a change that could lose writes. */
  Unsafe: {
    UnreplicatedWrites: ['True', 'An instance is kept, because it may hold writes that other instances lack'],
    SplitBrain: ['True', 'More than one instance reports that it is the primary, so the operator changes nothing'],
  },
} as const;
