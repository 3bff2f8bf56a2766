import { objectName } from './names.js';
import { enumeration, integer, keyedList, list, map, object, string } from './schema/index.js';

const QUALIFIED_NAME = '^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$';

/** CEL: the variable `key` is a label name. */
const IS_LABEL_KEY = `key.matches('${QUALIFIED_NAME}')`;

/** `spec.imagePullSecrets`. */
export const imagePullSecrets = keyedList(
  'Secrets with credentials for the registry of the image. Defaults to none.',
  ['name'],
  object('Secret in the same namespace.', { name: objectName('Name of the Secret.') }),
  { maxItems: 16, optional: true },
);

/** `nodeSelector` of a spec or of its placement. */
export const nodeSelector = map(
  'Labels that a node must have to run the Pods. Defaults to none, so that any node can run them.',
  string('Value of the label.', { maxLength: 63, pattern: '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$' }),
  {
    maxProperties: 64,
    optional: true,
    rules: [
      {
        rule: `self.all(key, ${IS_LABEL_KEY})`,
        message: 'must have label names as keys, such as disk or example.com/disk',
        messageExpression: `'key ' + self.filter(key, !(${IS_LABEL_KEY}))[0] + ' must be a label name, such as disk or example.com/disk'`,
      },
    ],
  },
);

/** `tolerations` of a spec or of its placement. */
export const tolerations = list(
  'Node taints that the Pods tolerate. Defaults to none.',
  object(
    'Taint, or group of taints, that the Pods tolerate.',
    {
      key: string('Key of the taint. If it is absent, the operator must be `Exists`, and every key matches.', {
        minLength: 1,
        maxLength: 317,
        pattern: QUALIFIED_NAME,
        optional: true,
      }),
      operator: enumeration('Comparison with the value of the taint. Defaults to Equal.', ['Equal', 'Exists'], {
        optional: true,
      }),
      value: string('Value of the taint, for the operator `Equal`.', {
        maxLength: 63,
        pattern: '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$',
        optional: true,
      }),
      effect: enumeration(
        'Effect of the taint. Defaults to every effect.',
        ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
        {
          optional: true,
        },
      ),
      tolerationSeconds: integer(
        'Number of seconds that a Pod stays on its node after a `NoExecute` taint. By default it stays forever.',
        {
          format: 'int64',
          minimum: -Number.MAX_SAFE_INTEGER,
          maximum: Number.MAX_SAFE_INTEGER,
          optional: true,
        },
      ),
    },
    {
      rules: [
        {
          rule: "has(self.key) || (has(self.operator) && self.operator == 'Exists')",
          message: 'must have a key; set key, or set operator to Exists to tolerate every taint',
        },
        {
          rule: "!has(self.value) || self.value == '' || !has(self.operator) || self.operator == 'Equal'",
          message: 'must not have a value with operator Exists, which ignores it; remove value or operator',
        },
        {
          rule: "!has(self.tolerationSeconds) || (has(self.effect) && self.effect == 'NoExecute')",
          message:
            'must not have tolerationSeconds without effect NoExecute; set effect to NoExecute or remove tolerationSeconds',
        },
      ],
    },
  ),
  { maxItems: 64, optional: true },
);
