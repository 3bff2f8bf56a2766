import { objectName } from './names.js';
import { enumeration, integer, keyedList, list, map, object, string } from './schema/index.js';

const QUALIFIED_NAME = '^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$';

/** Of a variable `key`, in CEL. */
const IS_LABEL_KEY = `key.matches('${QUALIFIED_NAME}')`;

/** By which the image of pods is fetched. */
export const imagePullSecrets = keyedList(
  'Secrets with credentials for the registry of the image. None by default.',
  ['name'],
  object('A Secret in the same namespace.', { name: objectName("The Secret's name.") }),
  { maxItems: 16, optional: true },
);

/** On which nodes pods may run. */
export const nodeSelector = map(
  'Labels that a node must have. Any node by default.',
  string("The label's value.", { maxLength: 63, pattern: '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$' }),
  {
    maxProperties: 64,
    optional: true,
    rules: [
      {
        rule: `self.all(key, ${IS_LABEL_KEY})`,
        message: 'has a key that is no label; use a name as disk or example.com/disk',
        messageExpression: `'key ' + self.filter(key, !(${IS_LABEL_KEY}))[0] + ' is no label; use a name as disk or example.com/disk'`,
      },
    ],
  },
);

/** Taints of nodes that pods bear. */
export const tolerations = list(
  'Taints of nodes that the pods bear. None by default.',
  object(
    'A taint, or a group of taints, that the pods bear.',
    {
      key: string("The taint's key. By default every key, with operator `Exists`.", {
        minLength: 1,
        maxLength: 317,
        pattern: QUALIFIED_NAME,
        optional: true,
      }),
      operator: enumeration("How the taint's value is compared. `Equal` by default.", ['Equal', 'Exists'], {
        optional: true,
      }),
      value: string("The taint's value, with operator `Equal`.", {
        maxLength: 63,
        pattern: '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$',
        optional: true,
      }),
      effect: enumeration(
        "The taint's effect. By default every effect.",
        ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
        {
          optional: true,
        },
      ),
      tolerationSeconds: integer('Seconds that a pod stays after a `NoExecute` taint. For ever by default.', {
        format: 'int64',
        minimum: -Number.MAX_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
        optional: true,
      }),
    },
    {
      rules: [
        {
          rule: "has(self.key) || (has(self.operator) && self.operator == 'Exists')",
          message: 'has no key; set key, or operator Exists to bear every taint',
        },
        {
          rule: "!has(self.value) || self.value == '' || !has(self.operator) || self.operator == 'Equal'",
          message: 'has a value that operator Exists does not look at; remove value or operator',
        },
        {
          rule: "!has(self.tolerationSeconds) || (has(self.effect) && self.effect == 'NoExecute')",
          message:
            'has tolerationSeconds, which only NoExecute knows; set effect to NoExecute or remove tolerationSeconds',
        },
      ],
    },
  ),
  { maxItems: 64, optional: true },
);
