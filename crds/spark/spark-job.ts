import { imageText } from '../fields/names.js';
import { retry } from '../retry/retry.js';
import {
  boolean,
  defineKind,
  duration,
  enumeration,
  list,
  matching,
  object,
  type Rule,
  string,
} from '../schema/index.js';
import { config } from './config.js';
import { dependencies } from './dependencies.js';
import { driver, executors } from './roles.js';
import { sparkJobStatus } from './status.js';

/** The longest name: the Pods of its drivers, `NAME-9999-99999-driver`, have a host name. */
const longestName = 45;
const NAME = '^[a-z]([-a-z0-9]*[a-z0-9])?$';

const MAIN = '^[a-z][a-z0-9+.-]*://\\S+\\.(py|jar)$';

interface Program {
  readonly main?: string;
  readonly mainClass?: string;
}

const CLASS_OF_JAR: Rule = {
  rule: "!self.main.endsWith('.jar') || has(self.mainClass)",
  message: 'must be set for a JAR file; set it to the class with the method main, such as com.example.Clean',
  reason: 'FieldValueRequired',
  fieldPath: '.mainClass',
  holds: ({ main = '', mainClass }: Program) => !main.endsWith('.jar') || mainClass !== undefined,
};

const NO_CLASS_OF_PYTHON: Rule = {
  rule: "!self.main.endsWith('.py') || !has(self.mainClass)",
  message: 'must not be set for a Python file; remove it, or set main to a JAR file',
  reason: 'FieldValueForbidden',
  fieldPath: '.mainClass',
  holds: ({ main = '', mainClass }: Program) => !main.endsWith('.py') || mainClass === undefined,
};

/** No process can have it as an argument. */
const NO_ZERO: Rule = {
  rule: "!self.contains('\\u0000')",
  message: 'must not have the character U+0000; remove it',
  holds: (argument: string) => !argument.includes('\u0000'),
};

/** The desired state of a SparkJob. */
export const sparkJobSpec = object(
  'Desired state of the SparkJob. An edit of the program, its arguments, its Pods or its configuration stops the driver and starts the job again. Limits, retries and clean-up can be edited while it runs. A job that has ended is not run again.',
  {
    version: enumeration('Version of Spark in the image. Defaults to 4.3.', ['4.3', '3.5'], { default: '4.3' }),
    image: string(
      'Container image of the driver and the executors. Defaults to the image that the operator has for `version`.',
      {
        ...imageText,
        optional: true,
      },
    ),
    main: string(
      'Program: a Python file, or a JAR file with `mainClass`, such as `local:///app/clean.py` for a file of the image.',
      {
        minLength: 1,
        maxLength: 1024,
        rules: [
          matching(
            MAIN,
            'must be the address of a .py or .jar file, such as local:///app/clean.py for a file of the image',
          ),
        ],
      },
    ),
    mainClass: string('Class with the method `main` in the JAR file.', {
      minLength: 1,
      maxLength: 512,
      rules: [
        matching(
          '^[A-Za-z_$][A-Za-z0-9_.$]*$',
          'must be the name of a class with its package, such as com.example.Clean',
        ),
      ],
      optional: true,
    }),
    args: list('Arguments of the program.', string('Argument.', { maxLength: 4096, rules: [NO_ZERO] }), {
      maxItems: 128,
      default: [],
    }),
    driver,
    executors,
    config,
    dependencies,
    retry,
    startWithin: duration(
      'Time within which the driver must run after its Pod is created, and the first executor after the driver has asked for it. Later, the attempt has failed. Defaults to 10m.',
      { minimum: '10s', maximum: '3650d', default: '10m' },
    ),
    exitWithin: duration(
      'Time within which the driver must exit after it has stopped its SparkContext. Later, the operator stops it, and the job fails, because its result is not known. Defaults to 5m.',
      { minimum: '10s', maximum: '3650d', default: '5m' },
    ),
    activeDeadline: duration(
      'Time from the start of the first driver, after which the job has failed. Defaults to none.',
      {
        minimum: '1m',
        maximum: '3650d',
        optional: true,
      },
    ),
    suspend: boolean(
      'Whether to stop the driver until it is false again. The job then starts from the beginning. Defaults to false.',
      { default: false },
    ),
    cleanPods: enumeration(
      'Pods of drivers that are deleted when the job has ended. `Running` keeps the last three that have ended, for their logs, and `All` keeps none. Executors are deleted in both cases. Defaults to Running.',
      ['Running', 'All'],
      { default: 'Running' },
    ),
    ttlAfterFinished: duration(
      'Time after the end of the job at which the SparkJob is deleted with its Pods. `0s` deletes it at once. Defaults to none: it stays.',
      { minimum: '0s', maximum: '3650d', optional: true },
    ),
  },
  { rules: [CLASS_OF_JAR, NO_CLASS_OF_PYTHON] },
);

/** The kind SparkJob: a Spark application that runs to its end, and is retried for the right reasons. */
export const sparkJob = defineKind({
  group: 'reconstruct.dev',
  kind: 'SparkJob',
  shortNames: ['sj'],
  categories: ['reconstruct'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description: 'Spark application that runs to its end.',
      spec: sparkJobSpec,
      status: sparkJobStatus,
      rules: [
        {
          rule: `self.metadata.name.size() <= ${longestName} && self.metadata.name.matches('${NAME}')`,
          message: `must have a name that its Pods can have; use up to ${longestName} lower-case letters, digits and -, starting with a letter`,
        },
      ],
      columns: [
        { name: 'State', type: 'string', jsonPath: '.status.state', description: 'State of the job.' },
        {
          name: 'Attempt',
          type: 'string',
          jsonPath: '.status.attempts',
          description: 'Number of the attempt, and of the last one if all further failures count against run.',
        },
        {
          name: 'Executors',
          type: 'string',
          jsonPath: '.status.executors',
          description: 'Executors that run, and the number that the job asks for.',
        },
        {
          name: 'Duration',
          type: 'string',
          jsonPath: '.status.duration',
          description: 'Time from the start of the job to its end.',
        },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Status', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason', priority: 1 },
      ],
    },
  ],
});
