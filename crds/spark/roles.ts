import { requestsAndLimits, resourceRules } from '../fields/resources.js';
import { podTemplate } from '../pod-template/pod-template.js';
import { integer, object, quantity, type Rule } from '../schema/index.js';
import { defaultSparkDriverResources, defaultSparkExecutorResources } from './default-resources.js';

/** Names that the image, Spark and the operator use in the Pods. */

const reserved = {
  labels: [
    ...['spark-role', 'spark-app-selector', 'spark-app-name', 'spark-exec-id', 'spark-exec-inactive', 'spark-version'],
    'spark-exec-resourceprofile-id',
  ],
  env: ['HOME'],
  envPrefixes: ['SPARK_'],
  volumes: ['auth', 'job', 'local', 'tmp', 'work-dir', 'spark-conf-volume-driver', 'spark-conf-volume-exec'],
  mountPaths: [
    '/opt/spark/job',
    '/opt/spark/auth',
    '/opt/spark/conf',
    '/opt/spark/work-dir',
    '/tmp',
    '/var/data/local',
  ],
};

const overhead = (role: string) =>
  quantity(
    `Part of the memory limit of ${role} that is outside of the heap of the JVM, for example for Python. Defaults to a tenth of the limit for a JAR file, or two fifths for Python, and at least 256Mi.`,
    { message: 'must be an amount of memory, such as 512Mi', optional: true },
  );

/** Spark requests the memory that it limits. */
const NO_MEMORY_REQUEST: Rule = {
  rule: '!has(self.requests) || !has(self.requests.memory)',
  message: 'must not be set, because Spark requests as much memory for executors as their limit; set limits.memory',
  reason: 'FieldValueForbidden',
  fieldPath: '.requests.memory',
  holds: ({ requests }: { readonly requests?: { readonly memory?: unknown } }) => requests?.memory === undefined,
};

/** `spec.driver`. */
export const driver = object(
  'Pod with the driver: the program and the scheduler of its tasks.',
  {
    resources: object('Resources of the driver.', requestsAndLimits(defaultSparkDriverResources), {
      default: {},
      rules: [...resourceRules],
    }),
    memoryOverhead: overhead('the driver'),
    podTemplate: podTemplate({ description: 'Settings of the Pod.', container: 'the driver', reserved }),
  },
  { default: {} },
);

interface Executors {
  readonly replicas?: number;
  readonly dynamic?: { readonly min?: number; readonly max?: number };
}

const ONE_NUMBER: Rule = {
  rule: '!has(self.replicas) || !has(self.dynamic)',
  message: 'must have replicas for a fixed number, or dynamic for one that follows the load, and has both; remove one',
  holds: ({ replicas, dynamic }: Executors) => replicas === undefined || dynamic === undefined,
};

/** `spec.executors`. */
export const executors = object(
  'Pods that run the tasks. The driver creates them.',
  {
    replicas: integer('Fixed number of executors. Defaults to 2 without `dynamic`.', {
      minimum: 1,
      maximum: 1000,
      optional: true,
    }),
    dynamic: object(
      'Number of executors that follows the number of waiting tasks.',
      {
        min: integer(
          'Lowest number. With 0, a job whose executors never start does not end by itself. Defaults to 1.',
          {
            minimum: 0,
            maximum: 1000,
            default: 1,
          },
        ),
        max: integer('Highest number.', { minimum: 1, maximum: 1000 }),
      },
      {
        optional: true,
        rules: [
          {
            rule: 'self.min <= self.max',
            message: 'must be at most max; lower min or raise max',
            messageExpression:
              "'%d: must be at most max, which is %d; lower min or raise max'.format([self.min, self.max])",
            fieldPath: '.min',
            holds: ({ min = 1, max = 1 }: { readonly min?: number; readonly max?: number }) => min <= max,
          },
        ],
      },
    ),
    cores: integer(
      'Number of tasks that an executor runs at the same time. Defaults to its requested CPU cores, rounded up.',
      { minimum: 1, maximum: 256, optional: true },
    ),
    resources: object('Resources of each executor.', requestsAndLimits(defaultSparkExecutorResources), {
      default: {},
      rules: [...resourceRules, NO_MEMORY_REQUEST],
    }),
    memoryOverhead: overhead('an executor'),
    podTemplate: podTemplate({ description: 'Settings of the Pods.', container: 'the executor', reserved }),
  },
  { default: {}, rules: [ONE_NUMBER] },
);
