import { ONE_LINE_VALUES } from '../fields/one-line-values.js';
import { freeKeys } from '../pod-template/reserved.js';
import { map, type Rule, string } from '../schema/index.js';

const NAME = '^spark\\.[A-Za-z0-9._-]+$';

type Config = Readonly<Record<string, string>>;

interface Owned {
  /** What to do instead. */
  readonly advice: string;
  readonly names: readonly string[];
  readonly prefixes?: readonly string[];
}

/** Properties that users must not set, by what they set instead. */
const OWNED: readonly Owned[] = [
  {
    advice: 'because the operator connects the driver with the cluster and its executors; remove it',
    names: [
      ...['spark.master', 'spark.submit.deployMode', 'spark.app.id', 'spark.app.name', 'spark.kubernetes.namespace'],
      ...['spark.driver.host', 'spark.driver.bindAddress', 'spark.driver.port', 'spark.blockManager.port'],
      ...['spark.driver.blockManager.port', 'spark.ui.port', 'spark.kubernetes.executor.podNamePrefix'],
      ...['spark.kubernetes.executor.deleteOnTermination', 'spark.kubernetes.executor.disableConfigMap'],
    ],
    prefixes: ['spark.authenticate', 'spark.kubernetes.authenticate.', 'spark.kubernetes.driver.'],
  },
  {
    advice: 'because it follows from driver, executors and image; set these fields instead',
    names: [
      ...['spark.kubernetes.container.image', 'spark.kubernetes.executor.container.image'],
      ...['spark.driver.memory', 'spark.driver.memoryOverhead', 'spark.driver.memoryOverheadFactor'],
      ...['spark.driver.cores', 'spark.executor.cores', 'spark.executor.instances', 'spark.executor.memory'],
      ...['spark.executor.memoryOverhead', 'spark.executor.memoryOverheadFactor', 'spark.executor.pyspark.memory'],
      ...['spark.memory.offHeap.size', 'spark.kubernetes.memoryOverheadFactor'],
      ...['spark.kubernetes.executor.request.cores', 'spark.kubernetes.executor.limit.cores'],
      ...['spark.dynamicAllocation.enabled', 'spark.dynamicAllocation.minExecutors'],
      'spark.dynamicAllocation.maxExecutors',
    ],
  },
  {
    advice: 'because it follows from executors.podTemplate; set that field instead',
    names: ['spark.kubernetes.executor.podTemplateFile', 'spark.kubernetes.executor.podTemplateContainerName'],
    prefixes: [
      ...['spark.kubernetes.executor.label.', 'spark.kubernetes.executor.annotation.'],
      ...['spark.kubernetes.executor.secrets.', 'spark.kubernetes.executor.secretKeyRef.'],
      ...['spark.kubernetes.node.selector.', 'spark.kubernetes.executor.node.selector.'],
      ...['spark.kubernetes.executor.volumes.', 'spark.executorEnv.'],
    ],
  },
];

const LINES: readonly Rule[] = [
  {
    rule: `self.all(key, key.size() <= 253 && key.matches(r'${NAME}'))`,
    message: 'must have Spark properties as keys, such as spark.sql.shuffle.partitions; Spark ignores others',
    messageExpression: `'key ' + self.filter(key, key.size() > 253 || !key.matches(r'${NAME}'))[0] + ' must be a Spark property, such as spark.sql.shuffle.partitions; Spark ignores others'`,
    holds: (config: Config) => Object.keys(config).every((key) => key.length <= 253 && new RegExp(NAME).test(key)),
  },
  ONE_LINE_VALUES,
];

/** `spec.config`. */
export const config = map(
  'Properties of Spark, such as `spark.sql.shuffle.partitions: "8"`. Everyone who can read the SparkJob can read them, so take passwords from the environment of a Pod template.',
  string('Value of the property. Numbers and booleans need quotes.', { maxLength: 2048 }),
  {
    maxProperties: 128,
    default: {},
    rules: [...LINES, ...OWNED.map(({ names, prefixes = [], advice }) => freeKeys(names, prefixes, advice))],
  },
);
