import { imageText } from '../fields/names.js';
import { podTemplate } from '../pod-template/pod-template.js';
import {
  boolean,
  defineKind,
  duration,
  enumeration,
  integer,
  list,
  object,
  quantity,
  type Rule,
  string,
} from '../schema/index.js';
import { checkpoint } from './checkpoint.js';
import { gang, health, restarts } from './health.js';
import { resources } from './resources.js';
import { trainingJobStatus } from './status.js';
import { topology } from './topology.js';

/** The longest name: its Service `NAME-coordinator` and its Pods `NAME-1023-9` have valid names. */
const longestName = 40;
const NAME = '^[a-z]([-a-z0-9]*[a-z0-9])?$';

interface Recovered {
  readonly recovery?: string;
  readonly spares?: number;
  readonly processesPerWorker?: number;
}

const SPARES_IN_PLACE: Rule = {
  rule: "self.spares == 0 || self.recovery == 'InPlace'",
  message:
    'must be 0 with recovery Restart, because a spare takes a rank only in place; set recovery to InPlace or spares to 0',
  messageExpression:
    "'%d: must be 0 with recovery Restart, because a spare takes a rank only in place; set recovery to InPlace or spares to 0'.format([self.spares])",
  fieldPath: '.spares',
  holds: ({ recovery = 'InPlace', spares = 0 }: Recovered) => spares === 0 || recovery === 'InPlace',
};

interface Elastic extends Recovered {
  readonly workers?: number;
  readonly minWorkers?: number;
}

const AT_MOST_WORKERS: Rule = {
  rule: '!has(self.minWorkers) || self.minWorkers <= self.workers',
  message: 'must be at most workers; lower minWorkers or raise workers',
  messageExpression:
    "'%d: must be at most workers, which is %d; lower minWorkers or raise workers'.format([self.minWorkers, self.workers])",
  fieldPath: '.minWorkers',
  holds: ({ workers = 1, minWorkers = 1 }: Elastic) => minWorkers <= workers,
};

const ELASTIC_IN_PLACE: Rule = {
  rule: "!has(self.minWorkers) || self.recovery == 'InPlace'",
  message:
    'must not be set with recovery Restart, because the number of ranks changes only in place; set recovery to InPlace or remove minWorkers',
  messageExpression:
    "'%d: must not be set with recovery Restart, because the number of ranks changes only in place; set recovery to InPlace or remove minWorkers'.format([self.minWorkers])",
  fieldPath: '.minWorkers',
  holds: ({ recovery = 'InPlace', minWorkers }: Elastic) => minWorkers === undefined || recovery === 'InPlace',
};

/** The desired state of a TrainingJob. */
export const trainingJobSpec = object(
  'Desired state of the TrainingJob.',
  {
    image: string(
      'Container image of the workers. With `recovery: InPlace`, it must have Python, PyTorch and the module `reconstruct_training`, and the coordinator runs it too.',
      imageText,
    ),
    command: list(
      'Program of a worker and its arguments, such as `[python3, /app/train.py]`.',
      string('Argument.', { minLength: 1, maxLength: 4096 }),
      { minItems: 1, maxItems: 64 },
    ),
    workers: integer('Number of workers, each in a Pod of its own. Defaults to 1.', {
      maximum: 1000,
      default: 1,
      rules: [
        {
          rule: 'self >= 1',
          message: 'must be at least 1; to stop the job and keep its checkpoints, set suspend to true',
          holds: (workers: number) => workers >= 1,
        },
      ],
    }),
    minWorkers: integer(
      'Number of workers with which training continues after a worker was lost and not replaced within `replaceWithin`. The others join again when there is room. Defaults to `workers`: training waits.',
      { minimum: 1, maximum: 1000, optional: true },
    ),
    replaceWithin: duration(
      'Time for the replacement of a lost worker, after which training continues with fewer workers, if `minWorkers` allows it. Defaults to 30s.',
      { minimum: '1s', maximum: '1d', default: '30s' },
    ),
    spares: integer('Number of additional workers that have built their model and wait for a rank. Defaults to 0.', {
      minimum: 0,
      maximum: 24,
      default: 0,
    }),
    processesPerWorker: integer('Number of processes of each worker, as `nproc-per-node` of torchrun. Defaults to 1.', {
      minimum: 1,
      maximum: 64,
      default: 1,
    }),
    resources,
    sharedMemory: quantity('Size of `/dev/shm`, which counts as memory of the worker. Defaults to 64Mi.', {
      message: 'must be an amount of memory, such as 64Mi or 8Gi',
      default: '64Mi',
    }),
    podTemplate: podTemplate({
      description: 'Settings of the Pods of the workers.',
      container: 'the program',
      reserved: {
        labels: ['reconstruct.dev/training-job', 'reconstruct.dev/training-role'],
        env: ['RANK', 'LOCAL_RANK', 'NODE_RANK', 'WORLD_SIZE', 'MASTER_ADDR', 'MASTER_PORT'],
        envPrefixes: ['RECONSTRUCT_', 'PET_'],
        volumes: ['checkpoints', 'shm', 'tmp'],
        mountPaths: ['/dev/shm', '/tmp', '/var/lib/reconstruct'],
      },
    }),
    topology,
    gang,
    recovery: enumeration(
      'Repair after a fault. With `InPlace`, the other workers keep their Pods and processes; it needs the module `reconstruct_training`. With `Restart`, all Pods are replaced. Defaults to InPlace.',
      ['InPlace', 'Restart'],
      { default: 'InPlace' },
    ),
    checkpoint,
    health,
    restarts,
    suspend: boolean('Whether to write a checkpoint and delete the Pods until it is false again. Defaults to false.', {
      default: false,
    }),
    activeDeadline: duration('Time from the first generation after which the job has failed. Defaults to none.', {
      minimum: '1m',
      maximum: '3650d',
      optional: true,
    }),
    cleanPods: enumeration(
      'Pods that are deleted when the job has ended. `OnlyComplete` keeps those that failed, and `None` keeps all that have ended. Pods that still run a minute after a success are deleted, and after a failure all that run. Defaults to OnlyComplete.',
      ['All', 'OnlyComplete', 'None'],
      { default: 'OnlyComplete' },
    ),
    ttlAfterFinished: duration(
      'Time after the end of the job at which the TrainingJob is deleted with its Pods. `0s` deletes it at once. Defaults to none: it stays.',
      { minimum: '0s', maximum: '3650d', optional: true },
    ),
  },
  { rules: [SPARES_IN_PLACE, AT_MOST_WORKERS, ELASTIC_IN_PLACE] },
);

/** The kind TrainingJob: distributed training that survives its machines. */
export const trainingJob = defineKind({
  group: 'reconstruct.dev',
  kind: 'TrainingJob',
  shortNames: ['tj'],
  categories: ['reconstruct'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description: 'Distributed training.',
      spec: trainingJobSpec,
      status: trainingJobStatus,
      scale: {
        specReplicasPath: '.spec.workers',
        statusReplicasPath: '.status.workers',
        labelSelectorPath: '.status.selector',
      },
      rules: [
        {
          rule: `self.metadata.name.size() <= ${longestName} && self.metadata.name.matches('${NAME}')`,
          message: `must have a name that its Pods can have; use up to ${longestName} lower-case letters, digits and -, starting with a letter`,
        },
      ],
      columns: [
        { name: 'Phase', type: 'string', jsonPath: '.status.phase', description: 'Phase of the job.' },
        { name: 'Step', type: 'integer', jsonPath: '.status.step', description: 'Steps that all ranks have done.' },
        { name: 'Loss', type: 'number', jsonPath: '.status.loss', description: 'Loss of the last step.' },
        {
          name: 'Workers',
          type: 'string',
          jsonPath: '.status.ready',
          description: 'Workers that take part out of the desired ones.',
        },
        {
          name: 'Restarts',
          type: 'integer',
          jsonPath: '.status.restarts.total',
          description: 'Faults since the job was created.',
        },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Status', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason', priority: 1 },
      ],
    },
  ],
});
