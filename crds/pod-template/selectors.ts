import { enumeration, list, map, object, type Rule, string } from '../schema/index.js';
import type { Definition } from '../schema/json.js';
import { named } from '../schema/schema.js';

/** Names of labels and annotations, with an optional prefix. */
export const QUALIFIED_NAME = '^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$';

export const LABEL_VALUE = '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$';

/** CEL: the variable `key` is a label name. */
const IS_LABEL_KEY = `key.matches('${QUALIFIED_NAME}')`;

/** Refuses keys of a map that are no names of labels. */
export const labelKeys: Rule = {
  rule: `self.all(key, ${IS_LABEL_KEY})`,
  message: 'must have label names as keys, such as disk or example.com/disk',
  messageExpression: `'key ' + self.filter(key, !(${IS_LABEL_KEY}))[0] + ' must be a label name, such as disk or example.com/disk'`,
};

/** The names of labels of nodes by which Pods are spread or placed. */
export function topologyKey(description: string) {
  return string(description, { minLength: 1, maxLength: 317, pattern: QUALIFIED_NAME });
}

const values = list(
  'Values to compare with. Absent for `Exists` and `DoesNotExist`.',
  string('Value.', { maxLength: 253 }),
  {
    maxItems: 64,
    optional: true,
  },
);

interface Requirement {
  readonly operator: string;
  readonly values?: readonly string[];
}

/** A requirement for a label. @param operators in addition to those of a label selector, such as `Gt` */
function requirement<const Operators extends readonly string[]>(operators: Operators) {
  const all = ['In', 'NotIn', 'Exists', 'DoesNotExist', ...operators] as const;
  return object(
    'Requirement for a label.',
    {
      key: string('Key of the label.', { minLength: 1, maxLength: 317, pattern: QUALIFIED_NAME }),
      operator: enumeration('Comparison with the values.', all),
      values,
    },
    {
      rules: [
        {
          rule: "(self.operator in ['Exists', 'DoesNotExist']) == (!has(self.values) || size(self.values) == 0)",
          message:
            'must have values, unless the operator is Exists or DoesNotExist, which take none; add or remove values',
          holds: ({ operator, values: of = [] }: Requirement) =>
            ['Exists', 'DoesNotExist'].includes(operator) === (of.length === 0),
        },
        ...(operators.length > 0 ? [ONE_NUMBER] : []),
      ],
    },
  );
}

const ONE_NUMBER: Rule = {
  rule: "!(self.operator in ['Gt', 'Lt']) || !has(self.values) || (size(self.values) == 1 && self.values[0].matches('^-?[0-9]+$'))",
  message: 'must have exactly one value, a whole number, for the operators Gt and Lt; correct values',
  holds: ({ operator, values: of = [] }: Requirement) =>
    !['Gt', 'Lt'].includes(operator) || (of.length === 1 && /^-?\d+$/.test(of[0] ?? '')),
};

const MANY = { maxItems: 32, optional: true } as const;
const allOf = (what: string) => `Requirements for the labels of ${what}. All must be met.`;

const ofObjects = requirement([]);
const ofNodes = requirement(['Gt', 'Lt']);
const LABELS: Definition = { name: 'LabelSelectorRequirement', json: ofObjects.json };
const NODES: Definition = { name: 'NodeSelectorRequirement', json: ofNodes.json };

/** Requirements for the labels of a node. */
export const nodeRequirements = list(allOf('the node'), named(NODES, ofNodes), MANY);

/** The fields of a selector of Pods or namespaces by labels. */
export function labelSelectorFields() {
  return {
    matchLabels: map(
      'Labels with these values.',
      string('Value of the label.', { maxLength: 63, pattern: LABEL_VALUE }),
      {
        maxProperties: 32,
        optional: true,
        rules: [labelKeys],
      },
    ),
    matchExpressions: list(allOf('the objects'), named(LABELS, ofObjects), MANY),
  };
}

const selector = (description: string) => object(description, labelSelectorFields(), { optional: true });

const SELECTOR: Definition = { name: 'LabelSelector', json: selector('Selector of objects by their labels.').json };

/** A selector of Pods or namespaces by labels. */
export const labelSelector = (description: string) => named(SELECTOR, selector(description));
