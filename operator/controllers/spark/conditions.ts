import type { Mark } from '../../runtime/index.js';

/** Condition types and reasons of a SparkJob. Each reason has its status and its default message. */
export const conditions = {
  /** Whether the current attempt has a driver. */
  Submitted: {
    DriverRunning: ['True', 'The driver runs'],
    Completed: ['True', 'The job has ended and needs no driver'],
    Submitting: [
      'Unknown',
      'The driver is starting',
      'Wait. The message has the reason why the driver does not run. After `startWithin` the attempt has failed.',
    ],
    BackingOff: [
      'Unknown',
      'The next attempt waits after a failure',
      'Wait until `status.nextAttemptTime`, or find the cause in `status.ended` and the log of the Pod in the message.',
    ],
    Stopping: ['Unknown', 'The operator stops the driver', 'Wait. The condition `Running` has the cause.'],
    Suspended: ['Unknown', 'The job is suspended, and has no driver', 'Set `suspend: false` to start the job again.'],
    OtherDriver: [
      'Unknown',
      'Another driver of the job may still run, so the next one does not start',
      'Wait until the Pod in the message is gone. If its node is lost, and is certainly off, delete the Node, or [taint it](docs/kinds/spark/runbook.md#a-node-is-lost) as out of service. Do not delete the Pod by force: two drivers can destroy data.',
    ],
    ImageUnavailable: [
      'False',
      'The image of the driver cannot be pulled',
      'Correct `image`, or `driver.podTemplate.imagePullSecrets` if the registry requires credentials. The message has the words of the kubelet.',
    ],
    ContainerNotCreated: [
      'False',
      'The container of the driver cannot be created',
      'Create or correct what the message names, such as a Secret or a ConfigMap.',
    ],
  },
  /** Whether the job makes progress, or has succeeded. */
  Running: {
    Running: ['True', 'The job runs'],
    Succeeded: ['True', 'The program has ended with the exit code 0'],
    NotStarted: ['Unknown', 'The job has not started', 'Wait. The condition `Submitted` has the cause.'],
    Retrying: [
      'Unknown',
      'An attempt has failed, and another one follows',
      'Read the message. It has the cause, and the retries that are left.',
    ],
    ExecutorsStarting: [
      'Unknown',
      'The driver waits for its executors',
      'Make room for the Pods in the message. If there are none, the log of the driver has the cause, such as a quota. After `startWithin` the attempt has failed.',
    ],
    Stopping: ['Unknown', 'The operator stops the driver', 'Wait. The message has the cause.'],
    Suspended: ['Unknown', 'The job is suspended', 'Set `suspend: false` to start the job again.'],
    DriverUnknown: [
      'Unknown',
      'The node of the driver does not answer, so it is not known whether the driver runs',
      'Check the node in the message. If it comes back, the operator goes on by itself. If it is certainly off, delete the Node, or [taint it](docs/kinds/spark/runbook.md#a-node-is-lost) as out of service.',
    ],
    ExitPending: [
      'Unknown',
      'The driver has stopped its SparkContext and has not exited',
      'Wait. If it does not exit within `exitWithin`, let the program end all of its threads.',
    ],
    VersionMismatch: [
      'False',
      'The image has another version of Spark than spec.version',
      'Set `version` to the version in the message, or `image` to an image of this version.',
    ],
    RuleFails: [
      'False',
      'A rule of spec.retry ends the job',
      'Fix the cause in the message. Then delete the SparkJob and create it again.',
    ],
    BudgetSpent: [
      'False',
      'The job has failed more often than spec.retry allows',
      'Read `status.ended` and the log of the Pod. Fix the cause, delete the SparkJob and create it again.',
    ],
    DeadlineExceeded: [
      'False',
      'The job ran longer than spec.activeDeadline',
      'Delete the SparkJob, and create it again with a longer `activeDeadline` or more executors.',
    ],
    DriverDidNotExit: [
      'False',
      'The driver did not exit, so its result is not known',
      'Check whether the output is complete. Let the program end all of its threads, or raise `exitWithin`. Then delete the SparkJob and create it again.',
    ],
  },
} as const;

/** A condition without its type. */
export type MarkOf<T extends keyof typeof conditions> = Mark<Extract<keyof (typeof conditions)[T], string>>;
