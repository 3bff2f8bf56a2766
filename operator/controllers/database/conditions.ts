/** All that can be said of a Database's instances: each reason with the status that it means, and its sentence. */
export const conditions = {
  /** Whether there are as many instances as there are to be, on volumes of the size that is stated. */
  Provisioned: {
    InstancesReady: ['True', 'every instance is there and ready'],
    Provisioning: ['Unknown', 'instances are being made or taken away'],
    Restoring: ['Unknown', 'what the first instance begins with is being restored'],
    Resizing: ['Unknown', 'volumes are being enlarged'],
    VolumeNearlyFull: ['False', 'a volume is nearly full: raise spec.storage.size'],
    InstanceNotReady: ['False', 'an instance does not get ready'],
    Diverged: ['False', 'a replica cannot follow the primary any more, and a volume is kept of an earlier one'],
  },
  /** Whether writes are taken. */
  Available: {
    Serving: ['True', 'a primary takes writes'],
    Initializing: ['Unknown', 'the first instance is being made'],
    Terminating: ['Unknown', 'the Database is being deleted, and its instances stop'],
    NoPrimary: ['False', 'no instance is the primary'],
    PrimaryNotReady: ['False', 'the primary is not ready: a replica takes its place within half a minute, if one can'],
    PrimaryVolumeFull: ['False', 'the volume of the primary is full: raise spec.storage.size'],
    SplitBrain: ['False', 'more than one instance says that it is the primary'],
  },
  /** Whether replicas have what the primary has. */
  Replicated: {
    Streaming: ['True', 'every replica follows the primary'],
    SingleInstance: ['True', 'there is one instance, so nothing is replicated'],
    Initializing: ['Unknown', 'replicas are being made for the first time'],
    Degraded: ['False', 'a replica does not follow the primary'],
    TooFewSyncReplicas: ['False', 'fewer replicas confirm commits than there are to be'],
    PrimaryStatusUnknown: ['Unknown', 'the primary does not tell who follows it'],
  },
  /** Whether the log reaches the archive. */
  Archived: {
    ArchivingDisabled: ['True', 'there are no backups, so nothing is archived'],
    Archiving: ['True', 'what is written reaches the archive within minutes'],
    ArchivingFailing: [
      'False',
      'the log does not reach the archive: what was written since is in the instances alone, and fills their volumes',
    ],
    PrimaryStatusUnknown: ['Unknown', 'the primary does not tell what of its log waits for the archive'],
  },
  /** Whether every instance runs what the spec says. */
  UpToDate: {
    UpToDate: ['True', 'every instance runs what the spec says'],
    Updating: ['Unknown', 'instances take parameters up, or are being replaced, replicas first'],
    Restarting: ['Unknown', 'the primary restarts in place, as it must take lower limits before its replicas'],
    UpdateStalled: ['False', 'instances are not replaced any further, as one does not get well'],
    RestartPending: [
      'False',
      'a parameter takes effect with a restart that changed nothing: restart the instance by hand',
    ],
  },
  /** Whether instances are where they are to be. */
  Placed: {
    Spread: ['True', 'every instance is in a zone of its own'],
    ZoneShared: ['False', 'instances share a zone: a failure of it takes more than one'],
    Unschedulable: ['False', 'no node takes an instance'],
    NodeLost: ['False', 'the node of an instance does not answer'],
    NodeDeleted: ['False', 'the node that has the volume of an instance does not exist any more'],
    NodeDraining: ['Unknown', 'the node of an instance is to be drained'],
    PlacementUnknown: ['Unknown', 'it is not known where every instance is'],
    NodesForbidden: ['Unknown', 'the operator may not see Nodes, so it is not known where every instance is'],
  },
  /** Present while something is not done because it could lose what was written. */
  Unsafe: {
    UnreplicatedWrites: ['True', 'an instance is kept, as it may hold writes that others lack'],
    SplitBrain: ['True', 'more than one instance says that it is the primary, so nothing is changed'],
  },
} as const;
