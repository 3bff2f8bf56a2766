import { DNS_SUBDOMAIN, objectName } from '../fields/names.js';
import { enumeration, integer, keyedList, list, map, object, type Rule, string } from '../schema/index.js';
import { LABEL_VALUE, labelKeys, labelSelector, QUALIFIED_NAME, topologyKey } from './selectors.js';

/** `podTemplate.imagePullSecrets`. */
export const imagePullSecrets = keyedList(
  'Secrets with credentials for the registry of the image. Defaults to none.',
  ['name'],
  object('Secret in the same namespace.', { name: objectName('Name of the Secret.') }),
  { maxItems: 16, optional: true },
);

/** `podTemplate.nodeSelector`. */
export const nodeSelector = map(
  'Labels that a node must have to run the Pods. Defaults to none, so that any node can run them.',
  string('Value of the label.', { maxLength: 63, pattern: LABEL_VALUE }),
  { maxProperties: 64, optional: true, rules: [labelKeys] },
);

/** `podTemplate.tolerations`. */
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
        pattern: LABEL_VALUE,
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

/** `podTemplate.priorityClassName`. */
export const priorityClassName = string('PriorityClass of the Pods. Defaults to the default of the cluster.', {
  minLength: 1,
  maxLength: 253,
  pattern: DNS_SUBDOMAIN,
  optional: true,
});

const nodesOf = (description: string) => enumeration(description, ['Honor', 'Ignore'], { optional: true });

const DOMAINS_IF_REQUIRED: Rule = {
  rule: "!has(self.minDomains) || self.whenUnsatisfiable == 'DoNotSchedule'",
  message: 'must not have minDomains with whenUnsatisfiable ScheduleAnyway; set DoNotSchedule or remove minDomains',
  holds: ({ minDomains, whenUnsatisfiable }: { readonly minDomains?: number; readonly whenUnsatisfiable: string }) =>
    minDomains === undefined || whenUnsatisfiable === 'DoNotSchedule',
};

/** `podTemplate.topologySpreadConstraints`. */
export const topologySpreadConstraints = keyedList(
  'Spread of the Pods over zones, nodes or other parts of the cluster. Defaults to the spread of the kind, if it has one.',
  ['topologyKey', 'whenUnsatisfiable'],
  object(
    'Constraint of the spread.',
    {
      maxSkew: integer('Maximum difference between the numbers of Pods in two parts.', {
        minimum: 1,
        maximum: 10_000,
      }),
      topologyKey: topologyKey('Node label whose values are the parts.'),
      whenUnsatisfiable: enumeration('Whether a Pod that breaks the constraint waits or runs anyway.', [
        'DoNotSchedule',
        'ScheduleAnyway',
      ]),
      labelSelector: labelSelector('Pods that count. Defaults to the Pods that the constraint concerns.'),
      matchLabelKeys: list(
        'Keys of Pod labels whose values must be equal for a Pod to count. Defaults to none.',
        string('Key of the label.', { minLength: 1, maxLength: 317, pattern: QUALIFIED_NAME }),
        { maxItems: 16, optional: true },
      ),
      minDomains: integer('Minimum number of parts, for `DoNotSchedule`. Defaults to 1.', {
        minimum: 1,
        maximum: 10_000,
        optional: true,
      }),
      nodeAffinityPolicy: nodesOf('Whether nodes that the Pods cannot select count. Defaults to Honor: they do not.'),
      nodeTaintsPolicy: nodesOf('Whether taints exclude nodes from the count. Defaults to Ignore: they do not.'),
    },
    { rules: [DOMAINS_IF_REQUIRED] },
  ),
  { maxItems: 16, optional: true },
);
