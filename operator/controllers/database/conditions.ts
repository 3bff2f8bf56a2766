/** Condition types and reasons of the instances of a Database. Each reason has its status and its default message. */
export const conditions = {
  /** Whether the desired number of instances exists, on volumes of the size in `spec.storage`. */
  Provisioned: {
    InstancesReady: ['True', 'All instances are ready'],
    Provisioning: [
      'Unknown',
      'Instances are being created or removed',
      'Wait. If it takes long, check `kubectl describe pod` of the instance in the message.',
    ],
    Restoring: [
      'Unknown',
      'The first instance is being restored from a backup',
      'Wait. The message reports the last restored commit. If it reports that the archive cannot be read, fix the archive; the instance retries. With a `targetTime`, the restore ends at the first later commit. A deleted Database may have no later commit: delete this Database, and create it without `targetTime`.',
    ],
    Resizing: ['Unknown', 'Volumes are being expanded'],
    VolumeNearlyFull: [
      'False',
      'A volume is nearly full; increase spec.storage.size',
      'Raise `storage.size` before the volume is full, and check whether `Archived` reports the cause.',
    ],
    InstanceNotReady: [
      'False',
      'An instance fails to become ready',
      'Check the instance and the cause in the message. For a node that is not ready, see `Placed`. If the image does not exist, fix `image` or `podTemplate.imagePullSecrets`. If a quota or a policy refuses the Pod, follow the message. Otherwise check `kubectl logs NAME-2 -c postgres`.',
    ],
    Diverged: [
      'False',
      'A replica can no longer follow the primary, and the volume of an earlier instance is still kept',
      'Delete the quarantined PVC (`kubectl get pvc -l reconstruct.dev/quarantined`). The operator cloned a replica again. Check the old volume first if you miss any data.',
    ],
  },
  /** Whether the Database accepts writes. */
  Available: {
    Serving: ['True', 'The primary accepts writes'],
    Initializing: [
      'Unknown',
      'The first instance is being created',
      'Wait for the first instance. No primary has taken writes yet. If it takes long, check `kubectl logs NAME-1 -c postgres` for failed init SQL, an archive in use or a missing backup.',
    ],
    Terminating: [
      'Unknown',
      'The Database is being deleted, and its instances are stopping',
      'None. See [`Deletable`](docs/kinds/database/conditions.md#deletable).',
    ],
    NoPrimary: [
      'False',
      'No instance is the primary',
      'Wait 30 seconds for the promotion of a replica. If it persists, no eligible instance is running. Bring back the node of an instance with `synchronous: true` in the status. Do not delete PVCs.',
    ],
    PrimaryNotReady: [
      'False',
      'The primary is not ready; if a replica can take over, it does so within 30 seconds',
      'Wait 30 seconds, then check the Pod of the primary.',
    ],
    PrimaryVolumeFull: [
      'False',
      'The volume of the primary is full; increase spec.storage.size',
      'Raise `storage.size`, and check whether `Archived` reports the cause. The primary takes writes as soon as it has free space.',
    ],
    SplitBrain: [
      'False',
      'More than one instance reports that it is the primary',
      'Wait. The operator changes nothing until one primary demotes itself, which it does without its lease. If it persists, check `kubectl logs` of both, and keep both volumes.',
    ],
  },
  /** Whether the replicas follow the primary. */
  Replicated: {
    Streaming: ['True', 'Every replica follows the primary'],
    SingleInstance: [
      'True',
      'The Database has one instance, so nothing is replicated',
      'Raise `replicas` if its loss would hurt.',
    ],
    Initializing: [
      'Unknown',
      'Replicas are being created for the first time',
      'Wait. If it takes long, see [`Provisioned`](docs/kinds/database/conditions.md#provisioned).',
    ],
    Degraded: [
      'False',
      'A replica does not follow the primary',
      'Check the Pod, the node and the network of the replica in the message. The other replicas confirm commits.',
    ],
    TooFewSyncReplicas: [
      'False',
      'Fewer replicas confirm commits than spec.synchronous.replicas requires',
      'Bring replicas back, or lower `synchronous.replicas`. With `durability: Required`, **writes wait**. With `Preferred`, they continue with fewer copies.',
    ],
    PrimaryStatusUnknown: [
      'Unknown',
      'The primary does not report which replicas follow it',
      'Wait for the primary to answer the operator. If it persists, check for a NetworkPolicy between the operator and port 8008.',
    ],
  },
  /** Whether the write-ahead log reaches the archive. */
  Archived: {
    ArchivingDisabled: [
      'True',
      'Backups are disabled, so the write-ahead log is not archived',
      'Set `spec.backup` to enable backups.',
    ],
    Archiving: ['True', 'Writes reach the archive within minutes'],
    ArchivingFailing: [
      'False',
      'The write-ahead log does not reach the archive; later writes exist only on the instances and fill their volumes',
      'Check `BackedUp` and the output of pgBackRest in `kubectl logs` of the primary: the target is full, unavailable, or refuses the keys. Raise `storage.size` if a volume fills up. **Rows that were written since cannot be restored**.',
    ],
    PrimaryStatusUnknown: [
      'Unknown',
      'The primary does not report which part of its log waits for the archive',
      'See `PrimaryStatusUnknown` of [`Replicated`](docs/kinds/database/conditions.md#replicated).',
    ],
  },
  /** Whether every instance runs the current spec, with the passwords of the Secrets. */
  UpToDate: {
    UpToDate: ['True', 'Every instance runs the current spec'],
    Updating: [
      'Unknown',
      'Instances are applying parameters or being replaced, replicas first',
      'Wait. Instances apply parameters, including those that follow `storage.size` or `resources`, or the operator replaces them one after the other.',
    ],
    Restarting: [
      'Unknown',
      'The primary restarts in place, because it must apply lower limits before its replicas',
      'Wait. The primary restarts in place [before the replicas](docs/kinds/database/objects.md#lower-limits). If it persists, the message and the event `RestartRefused` have the cause that Patroni reports. If the primary does not answer, check the log of the operator.',
    ],
    ApplyingPasswords: [
      'Unknown',
      'Instances are applying the passwords of the Secrets',
      'Wait up to two minutes. A Secret has a new password. Until all instances have it, logins with it can fail, and so can a replica that starts.',
    ],
    PasswordNotApplied: [
      'False',
      'PostgreSQL does not have a password of the Secrets',
      'Fix the cause in the message, for example create the role again. The message names the instance.',
    ],
    ParameterRefused: [
      'False',
      'PostgreSQL refuses a parameter, and keeps its earlier value; correct or remove it in spec.parameters',
      'Correct or remove the parameter. The message names it, the instances and the error of PostgreSQL. The instances use the [earlier value](docs/kinds/database/validation.md#parameters-that-postgresql-refuses).',
    ],
    UpdateStalled: [
      'False',
      'The rollout is stalled, because an instance does not become healthy',
      'Fix the spec, or revert the change. The message names the instance that does not become ready and the cause. The other instances serve.',
    ],
    RestartPending: [
      'False',
      'A parameter change is still pending after a restart',
      'Delete the Pod of the instance at a time that suits you, and report it as a bug. The instance started with the parameters of the spec but requests another restart.',
    ],
  },
  /** Whether instances are spread as `spec.placement` requests. */
  Placed: {
    Spread: ['True', 'Every instance is in its own zone'],
    ZoneShared: [
      'False',
      'Instances share a zone, so a failure of that zone stops more than one instance',
      'Add nodes in other zones. Then [replace](docs/kinds/database/tasks.md#replace-an-instance) a replica among the two.',
    ],
    Unschedulable: [
      'False',
      'No node can run an instance',
      'Add capacity or a zone, or set `placement.spread: Preferred`. The message is that of the scheduler.',
    ],
    NodeLost: [
      'False',
      'The node of an instance is not ready',
      'Bring the node back. If it never comes back, [delete the Node](docs/kinds/database/tasks.md#replace-an-instance-on-a-lost-node).',
    ],
    NodeDeleted: [
      'False',
      'The node that has the volume of an instance no longer exists',
      'Wait. The message reports the precondition for a [new instance](docs/kinds/database/tasks.md#replace-an-instance-on-a-lost-node).',
    ],
    NodeDraining: ['Unknown', 'The node of an instance is cordoned', 'None. The operator moves the primary first.'],
    PlacementUnknown: [
      'Unknown',
      'The zone of an instance is unknown',
      'Wait. An instance has no node yet, or its node lacks the label `placement.topologyKey`.',
    ],
    NodesForbidden: [
      'Unknown',
      'The operator has no permission to read Nodes, so the zone of an instance is unknown',
      'None, or [grant access to Nodes](docs/kinds/database/tasks.md#let-a-namespaced-operator-read-nodes). The scheduler spreads instances in any case.',
    ],
  },
  /** Present while the operator withholds a change that could lose writes. */
  Unsafe: {
    UnreplicatedWrites: [
      'True',
      'An instance is kept, because it may hold writes that other instances lack',
      'Wait until another instance has caught up, or bring the other instances back. The message names the instance, its position (the last known one if it does not answer) and those of the others. To lose the rows deliberately, delete the PVC of the instance.',
    ],
    SplitBrain: [
      'True',
      'More than one instance reports that it is the primary, so the operator changes nothing',
      'See `SplitBrain` of [`Available`](docs/kinds/database/conditions.md#available).',
    ],
  },
} as const;

/** What to do about a rejected spec, by reason. */
export const rejections = {
  NothingToRestore: 'Delete the Database, and create one that names an existing backup.',
  ArchiveTaken: 'Set another bucket or path in `spec.backup.target`.',
  VolumeCannotShrink:
    'Set the size back to that of the volume in the message. For smaller volumes, restore a backup into a new Database.',
} as const;
