import type { Refused } from './refused-kafka.js';

/** The least spec of a SparkJob. */
export const leastSpark = { main: 'local:///app/clean.py' };

const rule = (changes: object) => ({ retry: { rules: [{ when: { exitCodes: [2] }, do: 'Retry', ...changes }] } });
const config = (key: string, value = 'x') => ({ config: { [key]: value } });
const connected = 'because the operator connects the driver with the cluster and its executors; remove it';
const ofFields = 'because it follows from driver, executors and image; set these fields instead';
const ofTemplate = 'because it follows from executors.podTemplate; set that field instead';

/** Wrong retries. */
const REFUSED_RETRIES: Refused = [
  [
    rule({ when: {} }),
    'spec.retry.rules[0].when',
    'because a rule without a condition matches every failure; set one of them',
  ],
  [
    rule({ when: { exitCodes: [] } }),
    'spec.retry.rules[0].when.exitCodes: Invalid value: 0',
    'should have at least 1 items',
  ],
  [
    rule({ when: { exitCodes: [256] } }),
    'spec.retry.rules[0].when.exitCodes[0]: Invalid value: 256',
    'less than or equal to 255',
  ],
  [rule({ do: 'Ignore' }), 'spec.retry.rules[0].do: Unsupported value: "Ignore"', '"Retry", "Fail"'],
  [
    rule({ do: 'Fail', budget: 'run' }),
    'spec.retry.rules[0]: Forbidden',
    'must not have budget or with, because a job that fails has no further attempt; remove them, or set do to Retry',
  ],
  [rule({ do: 'Fail', with: { memoryFactor: 2 } }), 'spec.retry.rules[0]: Forbidden', 'must not have budget or with'],
  [
    rule({ with: { memoryFactor: 0.5 } }),
    'spec.retry.rules[0].with.memoryFactor: Invalid value: 0.5',
    'greater than or equal to 1',
  ],
  [
    rule({ with: { memoryFactor: 2, max: 'much' } }),
    'spec.retry.rules[0].with.max: Invalid value',
    'must be an amount of memory, such as 512Mi or 4Gi',
  ],
  [
    rule({ budget: 'spot' }),
    'spec.retry.rules: Invalid value',
    'budget spot is not in budgets; add it there, or correct the name',
  ],
  [rule({ budget: 'Spot' }), 'spec.retry.rules[0].budget: Invalid value: "Spot"', 'should match'],
  [
    { retry: { budgets: { spot: 3 } } },
    'spec.retry.budgets: Invalid value',
    'budget spot is in no rule, so nothing counts against it; add a rule with it, or remove it',
  ],
  [
    { retry: { budgets: { Spot: 3 }, rules: [] } },
    'spec.retry.budgets: Invalid value',
    'must have names of up to 40 lower-case letters, digits and -, starting with a letter; rename the budget',
  ],
  [{ retry: { budgets: { run: -1 } } }, 'spec.retry.budgets.run: Invalid value: -1', 'greater than or equal to 0'],
  [
    { retry: { backoff: { initial: '1h' } } },
    'spec.retry.backoff.initial: Invalid value',
    'initial 1h must be at most max 10m; lower initial, or raise max',
  ],
  [
    { retry: { backoff: { max: '5s' } } },
    'spec.retry.backoff.initial: Invalid value',
    'initial 10s must be at most max 5s; lower initial, or raise max',
  ],
  [{ retry: { backoff: { jitter: 2 } } }, 'spec.retry.backoff.jitter: Invalid value: 2', 'less than or equal to 1'],
  [{ retry: { backoff: { factor: 0 } } }, 'spec.retry.backoff.factor: Invalid value: 0', 'greater than or equal to 1'],
];

/** Wrong properties of Spark. */
const REFUSED_CONFIG: Refused = [
  [
    config('sql.shuffle.partitions'),
    'spec.config: Invalid value',
    'key sql.shuffle.partitions must be a Spark property',
  ],
  [config('spark.a b'), 'spec.config: Invalid value', 'key spark.a b must be a Spark property'],
  [
    config('spark.a', 'x\nspark.master=local'),
    'spec.config: Invalid value',
    'must not have a line break or another control character',
  ],
  [
    config('spark.a', 'x\u0000'),
    'spec.config: Invalid value',
    'must not have a line break or another control character',
  ],
  ...['spark.master', 'spark.app.id', 'spark.driver.host', 'spark.ui.port', 'spark.authenticate.secret'].map(
    (key) => [config(key), 'spec.config: ', connected] as const,
  ),
  ...['spark.kubernetes.driver.pod.name', 'spark.kubernetes.authenticate.driver.serviceAccountName'].map(
    (key) => [config(key), 'spec.config: ', connected] as const,
  ),
  ...['spark.driver.memory', 'spark.executor.instances', 'spark.kubernetes.container.image'].map(
    (key) => [config(key), 'spec.config: ', ofFields] as const,
  ),
  ...['spark.kubernetes.executor.podTemplateFile', 'spark.kubernetes.node.selector.pool', 'spark.executorEnv.A'].map(
    (key) => [config(key), 'spec.config: ', ofTemplate] as const,
  ),
];

/** Wrong fields of a SparkJob. */
export const REFUSED_SPARK: Refused = [
  [{ main: undefined }, 'spec.main', 'Required value'],
  [
    { main: '/app/clean.py' },
    'spec.main: Invalid value: "/app/clean.py"',
    'such as local:///app/clean.py for a file of the image',
  ],
  [{ main: 'local:///app/clean.sh' }, 'spec.main: Invalid value', 'must be the address of a .py or .jar file'],
  [{ main: 'local:///a.jar' }, 'spec.mainClass: Required value', 'must be set for a JAR file'],
  [
    { mainClass: 'a.B' },
    'spec.mainClass: Forbidden',
    'must not be set for a Python file; remove it, or set main to a JAR file',
  ],
  [{ main: 'local:///a.jar', mainClass: 'a b' }, 'spec.mainClass: Invalid value: "a b"', 'such as com.example.Clean'],
  [{ version: '2.4' }, 'spec.version: Unsupported value: "2.4"', '"4.3", "3.5"'],
  [{ image: 'Registry/Spark' }, 'spec.image: Invalid value', 'must be the name of an image in lower case'],
  [{ executors: { replicas: 0 } }, 'spec.executors.replicas: Invalid value: 0', 'greater than or equal to 1'],
  [{ executors: { replicas: 2, dynamic: { max: 3 } } }, 'spec.executors: Invalid value', 'and has both; remove one'],
  [{ executors: { dynamic: {} } }, 'spec.executors.dynamic.max', 'Required value'],
  [
    { executors: { dynamic: { min: 4, max: 3 } } },
    'spec.executors.dynamic.min: Invalid value',
    '4: must be at most max, which is 3; lower min or raise max',
  ],
  [{ executors: { cores: 0 } }, 'spec.executors.cores: Invalid value: 0', 'greater than or equal to 1'],
  [
    { executors: { resources: { requests: { memory: '1Gi' } } } },
    'spec.executors.resources.requests.memory: Forbidden',
    'because Spark requests as much memory for executors as their limit; set limits.memory',
  ],
  [
    { driver: { memoryOverhead: 'some' } },
    'spec.driver.memoryOverhead: Invalid value',
    'must be an amount of memory, such as 512Mi',
  ],
  [
    { dependencies: { jars: ['/app/lib.jar'] } },
    'spec.dependencies.jars[0]: Invalid value',
    'must be an address with a scheme',
  ],
  [
    { dependencies: { files: ['https://a/b,https://c/d'] } },
    'spec.dependencies.files[0]: Invalid value',
    'without commas',
  ],
  [
    { dependencies: { packages: ['hadoop-aws'] } },
    'spec.dependencies.packages[0]: Invalid value',
    'must have the form GROUP:ARTIFACT:VERSION',
  ],
  [{ startWithin: '1s' }, 'spec.startWithin: Invalid value', 'must be from 10s to 3650d'],
  [{ exitWithin: '1s' }, 'spec.exitWithin: Invalid value', 'must be from 10s to 3650d'],
  [{ activeDeadline: '5s' }, 'spec.activeDeadline: Invalid value', 'must be from 1m to 3650d'],
  [{ cleanPods: 'None' }, 'spec.cleanPods: Unsupported value: "None"', '"Running", "All"'],
  [{ ttlAfterFinished: '3651d' }, 'spec.ttlAfterFinished: Invalid value', 'must be from 0s to 3650d'],
  ...['HOME', 'SPARK_LOCAL_DIRS'].map(
    (name) =>
      [
        { driver: { podTemplate: { env: [{ name, value: '1' }] } } },
        'spec.driver.podTemplate.env[0].name: Invalid value',
        'choose another name',
      ] as const,
  ),
  [
    { executors: { podTemplate: { volumes: [{ name: 'tmp', emptyDir: {} }] } } },
    'spec.executors.podTemplate.volumes[0].name: Invalid value',
    'must not be a volume of the operator',
  ],
  [
    { executors: { podTemplate: { labels: { 'spark-role': 'x' } } } },
    'spec.executors.podTemplate.labels',
    'spark-role',
  ],
  ...REFUSED_RETRIES,
  ...REFUSED_CONFIG,
];

/** Specs that use what is easily refused by mistake. */
export const ACCEPTED_SPARK: readonly object[] = [
  {},
  { main: 's3a://bucket/clean.jar', mainClass: 'com.example.Outer$Inner', version: '3.5' },
  {
    args: ['--day', '2026-11-26', '$(HOME)', ''],
    config: { 'spark.sql.shuffle.partitions': '8', 'spark.a.b': ' c\\d' },
  },
  {
    executors: { dynamic: { max: 4 }, cores: 2, resources: { limits: { memory: '4Gi' } } },
    driver: { memoryOverhead: '1Gi' },
  },
  {
    retry: {
      budgets: { run: 0, spot: 5 },
      rules: [
        { when: { exitCodes: [2] }, do: 'Fail' },
        { when: { podConditions: ['DisruptionTarget'] }, do: 'Retry', budget: 'spot' },
        { when: { reason: ['OOMKilled'], message: ['heap'] }, do: 'Retry', with: { memoryFactor: 1.5, max: '4Gi' } },
        { when: { reason: ['Evicted'] }, do: 'Retry', budget: 'preemption' },
      ],
      backoff: { initial: '10s', max: '10s', factor: 1, jitter: 0, resetAfter: '5m' },
    },
  },
  { retry: { budgets: { submission: 0 } }, dependencies: { packages: ['a:b:1'], pyFiles: ['local:///a.zip'] } },
  { suspend: true, activeDeadline: '2h', cleanPods: 'All', ttlAfterFinished: '0s', startWithin: '10s' },
];
