import type { Mark } from '../../runtime/index.js';

/** Condition types and reasons of a TrainingJob. Each reason has its status and its default message. */
export const conditions = {
  /** Whether all workers have a node. */
  Scheduled: {
    WorkersScheduled: ['True', 'All workers have a node'],
    Completed: [
      'True',
      'The job has ended and needs no nodes',
      'If the message names Pods that ran for a minute after the end and were stopped, let the program end soon after its last step.',
    ],
    PodsStopped: [
      'True',
      'The job has ended, and Pods that ran on were stopped',
      'Let the program end soon after its last step. The message names the Pods that ran for a minute after the end of the job.',
    ],
    Queued: [
      'Unknown',
      'The workers wait until there is room for all of them',
      'Wait, or make room. The message has the number of workers that have room, with [`topology`](docs/kinds/training/topology.md) where, or the job that is scheduled first. If it names a ResourceQuota, raise what it lacks, or lower `workers` or `resources`. If it names a PersistentVolumeClaim, give it a volume, or make room where its volume is: `kubectl describe pvc` has the cause.',
    ],
    Displacing: [
      'Unknown',
      'The workers wait until jobs of a lower priority train with fewer',
      'Wait. The jobs of a lower priority in the message are giving up [workers](docs/kinds/training/elastic.md#priorities).',
    ],
    Scheduling: [
      'Unknown',
      'The workers are being scheduled',
      'Wait. The message has the reason of the scheduler. After `gang.timeout` all workers wait again.',
    ],
    ClaimNotFound: [
      'False',
      'A PersistentVolumeClaim of the workers does not exist',
      'Create the PersistentVolumeClaim in the message, or correct `checkpoint.claimName` or `podTemplate.volumes`.',
    ],
    ConfigMapNotFound: [
      'False',
      'A ConfigMap of the workers does not exist, or lacks a key',
      'Create the ConfigMap or the key in the message, or correct `podTemplate`. To start without it, set `optional: true` there.',
    ],
    SecretNotFound: [
      'False',
      'A Secret of the workers does not exist, or lacks a key',
      'The same for the Secret in the message.',
    ],
    FewerWorkers: [
      'Unknown',
      'The job trains with fewer workers until there is room for all of them',
      'Make room for the missing workers, or lower `workers`. The message has the obstacle. Training [continues](docs/kinds/training/elastic.md).',
    ],
    Suspended: ['Unknown', 'The job is suspended, and has no Pods', 'Set `suspend: false` to continue.'],
  },
  /** Whether the job trains. */
  Training: {
    Training: ['True', 'All ranks train'],
    FewerWorkers: ['True', 'All ranks train, which are fewer than spec.workers'],
    Succeeded: ['True', 'All ranks have finished'],
    Starting: [
      'Unknown',
      'The workers are starting',
      'Wait. The message has the reason why a worker does not run. If none is there for minutes, `kubectl describe pod` has the events of the kubelet, for example about a driver that cannot mount a volume.',
    ],
    ImageUnavailable: [
      'False',
      'The image of a worker cannot be pulled',
      'Correct `image`, or `podTemplate.imagePullSecrets` if the registry requires credentials. The message has the words of the kubelet.',
    ],
    ContainerNotCreated: [
      'False',
      'The container of a worker cannot be created',
      'Create or correct what the message names, such as a Secret or a ConfigMap.',
    ],
    Recovering: ['Unknown', 'Workers are being repaired after a fault', 'Wait. `status.faults` has the cause.'],
    BackingOff: [
      'Unknown',
      'The next restart waits, because the loss was at fault repeatedly',
      'Wait until the time in the message, or check the data and the learning rate. The ranks do no steps meanwhile.',
    ],
    Stopping: [
      'Unknown',
      'The workers write a checkpoint and stop',
      'Wait. The workers write a checkpoint, for up to five minutes. If it takes longer, check that the operator runs.',
    ],
    Suspended: ['Unknown', 'The job is suspended', 'Set `suspend: false` to continue.'],
    CoordinatorUnreachable: [
      'Unknown',
      'The coordinator does not answer the operator; training goes on',
      'Check the Pod of the coordinator and the network. Training continues meanwhile, without repairs of processes. If the Secret `NAME-token` was deleted, delete all Pods of the job, which have the earlier token.',
    ],
    RestartsExhausted: [
      'False',
      'The job had more faults than spec.restarts allows',
      'Read `status.faults` and the logs of the Pods. If all faults are of one node, cordon it. If all are of one step, fix the program. Then delete the TrainingJob and create it again. It continues at the newest checkpoint.',
    ],
    LossNotFinite: [
      'False',
      'The loss is not finite',
      'The message has the step. Fix the data or the program. Then delete the TrainingJob and create it again. It continues at the newest checkpoint.',
    ],
    DeadlineExceeded: [
      'False',
      'The job ran longer than spec.activeDeadline',
      'Delete the TrainingJob, and create it again with a longer `activeDeadline`. It continues at the newest checkpoint.',
    ],
  },
  /** Whether the workers are well. */
  Healthy: {
    Healthy: ['True', 'No worker has a fault'],
    Completed: ['True', 'The job has ended'],
    NotStarted: ['Unknown', 'The job has no generation yet'],
    RankStalled: [
      'False',
      'A rank makes no progress',
      'Look at the process in the message, for example with py-spy. It is started again.',
    ],
    Straggling: [
      'False',
      'A rank computes longer than the others',
      'Check the devices of the node in the message. With `health.straggler.action: Replace`, the Pod is replaced.',
    ],
    LossNotFinite: [
      'False',
      'The loss is not finite, and an earlier checkpoint is being loaded',
      'None. An earlier checkpoint is being loaded.',
    ],
    WorkerLost: [
      'False',
      'A worker has failed or is gone, and is being replaced',
      'Check the node in the message. The Pod is being replaced.',
    ],
    LogRuleBroken: [
      'False',
      'A rule over the log of the workers has found a fault',
      'Read the rule and the line in the message. The Pod, or all, are being replaced.',
    ],
    LogsUnknown: [
      'Unknown',
      'The log of a worker cannot be read, or a rule takes too long',
      'For a log that cannot be read, check the node and the network between the API server and the kubelet. For a pattern that takes too long, simplify it.',
    ],
    ProcessFailed: [
      'False',
      'A program has failed, and was started again in its container',
      'Read the log of the Pod. The process was started again.',
    ],
  },
} as const;

/** A condition without its type. */
export type MarkOf<T extends keyof typeof conditions> = Mark<Extract<keyof (typeof conditions)[T], string>>;
