import type { Refused } from './refused-kafka.js';

/** The least spec of a TrainingJob. */
export const leastTraining = { image: 'registry.example.com/ranking-train:7', command: ['python3', '/app/train.py'] };

const checkpoint = (changes: object) => ({ checkpoint: { size: '20Gi', ...changes } });
const logRule = (changes: object) => ({
  health: { logRules: [{ name: 'Found', logPattern: '.*Error.*', faultOnMatch: true, ...changes }] },
});

/** Wrong fields of a TrainingJob. */
export const REFUSED_TRAINING: Refused = [
  [{ image: undefined }, 'spec.image', 'Required value'],
  [{ image: 'Registry/Train' }, 'spec.image: Invalid value', 'must be the name of an image in lower case'],
  [{ command: [] }, 'spec.command: Invalid value: 0', 'should have at least 1 items'],
  [{ workers: 0 }, 'spec.workers: Invalid value: 0', 'to stop the job and keep its checkpoints, set suspend to true'],
  [{ workers: 1001 }, 'spec.workers: Invalid value: 1001', 'less than or equal to 1000'],
  [{ spares: -1 }, 'spec.spares: Invalid value: -1', 'greater than or equal to 0'],
  [
    { spares: 1, recovery: 'Restart' },
    'spec.spares: Invalid value: 1: must be 0',
    'set recovery to InPlace or spares to 0',
  ],
  [
    { workers: 2, minWorkers: 3 },
    'spec.minWorkers: Invalid value: 3: must be at most workers, which is 2',
    'lower minWorkers or raise workers',
  ],
  [{ minWorkers: 0 }, 'spec.minWorkers: Invalid value: 0', 'greater than or equal to 1'],
  [
    { minWorkers: 1, recovery: 'Restart' },
    'spec.minWorkers: Invalid value: 1: must not be set with recovery Restart',
    'set recovery to InPlace or remove minWorkers',
  ],
  [{ replaceWithin: '0s' }, 'spec.replaceWithin: Invalid value', 'must be from 1s to 1d'],
  [{ processesPerWorker: 0 }, 'spec.processesPerWorker: Invalid value: 0', 'greater than or equal to 1'],
  [{ recovery: 'Later' }, 'spec.recovery: Unsupported value: "Later"', '"InPlace", "Restart"'],
  [{ sharedMemory: 'much' }, 'spec.sharedMemory: Invalid value', 'must be an amount of memory, such as 64Mi'],
  [
    { resources: { limits: { gpus: 1 } } },
    'spec.resources.limits: Invalid value: key gpus must be',
    'such as nvidia.com/gpu',
  ],
  [{ resources: { limits: { cpu: 'x' } } }, 'spec.resources.limits', 'must be an amount, such as 4, 500m or 16Gi'],
  [
    { resources: { requests: { 'nvidia.com/gpu': 1 } } },
    'spec.resources.requests: Invalid value: key nvidia.com/gpu must not be a device',
    'is always its limit; set limits instead',
  ],
  [
    { resources: { requests: { cpu: 4 }, limits: { cpu: 2 } } },
    'spec.resources.requests: Invalid value: cpu of 4 must be at most the limit, which is 2',
    'lower the request or raise the limit',
  ],
  [{ checkpoint: { every: 100 } }, 'spec.checkpoint: Invalid value', 'and has neither; set one of them'],
  [checkpoint({ claimName: 'mine' }), 'spec.checkpoint: Invalid value', 'and has both; set one of them'],
  [
    { checkpoint: { claimName: 'mine', storageClassName: 'fast' } },
    'spec.checkpoint.storageClassName: Forbidden',
    'because an existing volume has its class; remove it',
  ],
  [checkpoint({ size: '1Ki' }), 'spec.checkpoint.size: Invalid value', 'must be at least 16Mi'],
  [checkpoint({ every: 0 }), 'spec.checkpoint.every: Invalid value: 0', 'greater than or equal to 1'],
  [checkpoint({ deletionPolicy: 'Keep' }), 'spec.checkpoint.deletionPolicy: Unsupported value', '"Retain", "Delete"'],
  [{ gang: { timeout: '1s' } }, 'spec.gang.timeout: Invalid value', 'must be from 10s to 1d'],
  [{ health: { stalledAfter: '2s' } }, 'spec.health.stalledAfter: Invalid value', 'must be from 5s to 1d'],
  [{ health: { nonFiniteLoss: 'Skip' } }, 'spec.health.nonFiniteLoss: Unsupported value', '"Rollback", "Fail"'],
  [
    logRule({ logPattern: '.*(loss' }),
    'spec.health.logRules[0].logPattern: Invalid value',
    'must be a regular expression, such as',
  ],
  [
    logRule({ stopPattern: '[a-' }),
    'spec.health.logRules[0].stopPattern: Invalid value',
    'must be a regular expression, such as',
  ],
  [
    logRule({ metricThreshold: 2, logPattern: 'loss (.*)' }),
    'spec.health.logRules[0].operator: Required value',
    'must be set with metricThreshold; set it to gt, gteq, lt, lteq or eq',
  ],
  [
    logRule({ operator: 'gt' }),
    'spec.health.logRules[0].metricThreshold: Required value',
    'must be set with operator; set the value',
  ],
  [
    logRule({ operator: 'above', metricThreshold: 2, logPattern: 'loss (.*)' }),
    'spec.health.logRules[0].operator: Unsupported value: "above"',
    '"gt", "gteq", "lt", "lteq", "eq"',
  ],
  [
    logRule({ metricEvaluationDataPoints: 5 }),
    'spec.health.logRules[0].metricEvaluationDataPoints: Forbidden',
    'must not be set without metricThreshold',
  ],
  [
    logRule({ operator: 'gt', metricThreshold: 2, logPattern: '.*loss.*' }),
    'spec.health.logRules[0].logPattern: Invalid value: ".*loss.*"',
    'must have a group in parentheses that captures the value',
  ],
  [logRule({ faultOnMatch: false }), 'spec.health.logRules[0]: Invalid value', 'because it finds nothing otherwise'],
  [
    logRule({ expectedStartCutOffInSeconds: 0 }),
    'spec.health.logRules[0].expectedStartCutOffInSeconds: Invalid value: 0',
    'greater than or equal to 1',
  ],
  [{ restarts: { perWindow: 600, fullPerWindow: 600 } }, 'spec.restarts: Invalid value', 'are 600 and 600: they must'],
  [{ restarts: { window: '10s' } }, 'spec.restarts.window: Invalid value', 'must be from 1m to 90d'],
  [
    { restarts: { spike: { backoff: '1h' } } },
    'spec.restarts.spike.backoff: Invalid value',
    'backoff 1h must be at most max 10m; lower backoff, or raise max',
  ],
  [{ restarts: { spike: { max: '2d' } } }, 'spec.restarts.spike.max: Invalid value', 'must be from 0s to 1d'],
  [{ topology: { policy: 'Required' } }, 'spec.topology.key', 'Required value'],
  [
    { topology: { key: 'my rack' } },
    'spec.topology.key: Invalid value',
    'must be the name of a node label, such as topology.kubernetes.io/zone',
  ],
  [
    { topology: { key: 'rack', policy: 'Forced' } },
    'spec.topology.policy: Unsupported value: "Forced"',
    '"Preferred", "Required"',
  ],
  [{ activeDeadline: '5s' }, 'spec.activeDeadline: Invalid value', 'must be from 1m to 3650d'],
  [{ cleanPods: 'Some' }, 'spec.cleanPods: Unsupported value: "Some"', '"All", "OnlyComplete", "None"'],
  [{ ttlAfterFinished: '-1h' }, 'spec.ttlAfterFinished: Invalid value: "-1h"', 'should match'],
  [{ ttlAfterFinished: '3651d' }, 'spec.ttlAfterFinished: Invalid value', 'must be from 0s to 3650d'],
  ...['RANK', 'RECONSTRUCT_TOKEN', 'PET_NNODES'].map(
    (name) =>
      [
        { podTemplate: { env: [{ name, value: '1' }] } },
        'spec.podTemplate.env[0].name: Invalid value',
        'choose another name',
      ] as const,
  ),
  [
    { podTemplate: { volumes: [{ name: 'shm', emptyDir: {} }] } },
    'spec.podTemplate.volumes[0].name: Invalid value',
    'must not be a volume of the operator (checkpoints, shm, tmp)',
  ],
];
