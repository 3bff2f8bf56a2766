import type { Mark } from '../../runtime/index.js';

/** Condition types and reasons of a TrainingJob. Each reason has its status and its default message. */
export const conditions = {
  /** Whether all workers have a node. */
  Scheduled: {
    WorkersScheduled: ['True', 'All workers have a node'],
    Completed: ['True', 'The job has ended and needs no nodes'],
    PodsStopped: ['True', 'The job has ended, and Pods that ran on were stopped'],
    Queued: ['Unknown', 'The workers wait until there is room for all of them'],
    Displacing: ['Unknown', 'The workers wait until jobs of a lower priority train with fewer'],
    Scheduling: ['Unknown', 'The workers are being scheduled'],
    ClaimNotFound: ['False', 'A PersistentVolumeClaim of the workers does not exist'],
    ConfigMapNotFound: ['False', 'A ConfigMap of the workers does not exist, or lacks a key'],
    SecretNotFound: ['False', 'A Secret of the workers does not exist, or lacks a key'],
    FewerWorkers: ['Unknown', 'The job trains with fewer workers until there is room for all of them'],
    Suspended: ['Unknown', 'The job is suspended, and has no Pods'],
  },
  /** Whether the job trains. */
  Training: {
    Training: ['True', 'All ranks train'],
    FewerWorkers: ['True', 'All ranks train, which are fewer than spec.workers'],
    Succeeded: ['True', 'All ranks have finished'],
    Starting: ['Unknown', 'The workers are starting'],
    ImageUnavailable: ['False', 'The image of a worker cannot be pulled'],
    ContainerNotCreated: ['False', 'The container of a worker cannot be created'],
    Recovering: ['Unknown', 'Workers are being repaired after a fault'],
    BackingOff: ['Unknown', 'The next restart waits, because the loss was at fault repeatedly'],
    Stopping: ['Unknown', 'The workers write a checkpoint and stop'],
    Suspended: ['Unknown', 'The job is suspended'],
    CoordinatorUnreachable: ['Unknown', 'The coordinator does not answer the operator; training goes on'],
    RestartsExhausted: ['False', 'The job had more faults than spec.restarts allows'],
    LossNotFinite: ['False', 'The loss is not finite'],
    DeadlineExceeded: ['False', 'The job ran longer than spec.activeDeadline'],
  },
  /** Whether the workers are well. */
  Healthy: {
    Healthy: ['True', 'No worker has a fault'],
    Completed: ['True', 'The job has ended'],
    NotStarted: ['Unknown', 'The job has no generation yet'],
    RankStalled: ['False', 'A rank makes no progress'],
    Straggling: ['False', 'A rank computes longer than the others'],
    LossNotFinite: ['False', 'The loss is not finite, and an earlier checkpoint is being loaded'],
    WorkerLost: ['False', 'A worker has failed or is gone, and is being replaced'],
    LogRuleBroken: ['False', 'A rule over the log of the workers has found a fault'],
    LogsUnknown: ['Unknown', 'The log of a worker cannot be read, or a rule takes too long'],
    ProcessFailed: ['False', 'A program has failed, and was started again in its container'],
  },
} as const;

/** A condition without its type. */
export type MarkOf<T extends keyof typeof conditions> = Mark<Extract<keyof (typeof conditions)[T], string>>;
