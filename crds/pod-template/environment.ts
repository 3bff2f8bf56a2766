import { objectName } from '../fields/names.js';
import { boolean, keyedList, list, matching, object, string } from '../schema/index.js';
import { freeVariable, type Reserved } from './reserved.js';

const VARIABLE = '^[A-Za-z_][A-Za-z0-9_]*$';

const dataKey = (description: string) =>
  string(description, { minLength: 1, maxLength: 253, pattern: '^[-._a-zA-Z0-9]+$' });

/** A key of a Secret or ConfigMap in the same namespace. */
const keyIn = (owner: 'Secret' | 'ConfigMap') =>
  object(
    `Key of a ${owner} in the same namespace.`,
    {
      name: objectName(`Name of the ${owner}.`),
      key: dataKey(`Key in the ${owner}.`),
      optional: boolean(
        `Whether the container starts without the variable if the ${owner} or its key is missing. Defaults to false.`,
        { optional: true },
      ),
    },
    { optional: true },
  );

const POD_FIELDS =
  "^(metadata\\.(name|namespace|uid|labels\\['[^']+'\\]|annotations\\['[^']+'\\])|spec\\.(nodeName|serviceAccountName)|status\\.(hostIPs?|podIPs?))$";

/** A field of the Pod. Its path contains quotes, so it is a pattern, and not a rule with a message. */
const fieldRef = object(
  'Field of the Pod.',
  {
    fieldPath: string("Path of the field, such as `metadata.name`, `metadata.labels['app']` or `status.podIP`.", {
      maxLength: 512,
      pattern: POD_FIELDS,
    }),
  },
  { optional: true },
);

const valueFrom = object(
  'Source of the value: a key of a Secret or of a ConfigMap, or a field of the Pod.',
  { secretKeyRef: keyIn('Secret'), configMapKeyRef: keyIn('ConfigMap'), fieldRef },
  {
    optional: true,
    rules: [
      {
        rule: '[has(self.secretKeyRef), has(self.configMapKeyRef), has(self.fieldRef)].exists_one(is, is)',
        message: 'must have exactly one source; set secretKeyRef, configMapKeyRef or fieldRef',
        holds: (value: object) => Object.keys(value).length === 1,
      },
    ],
  },
);

/** `podTemplate.env` of a kind. */
export function envOf(reserved: Reserved) {
  return keyedList(
    'Environment variables of the main container, in this order. Defaults to none.',
    ['name'],
    object(
      'Environment variable of the container.',
      {
        name: string('Name of the variable.', {
          minLength: 1,
          maxLength: 256,
          pattern: VARIABLE,
          rules: freeVariable(reserved),
        }),
        value: string('Value of the variable. Defaults to the empty string if `valueFrom` is not set either.', {
          maxLength: 32_768,
          optional: true,
        }),
        valueFrom,
      },
      {
        rules: [
          {
            rule: '!(has(self.value) && has(self.valueFrom))',
            message: 'must not have both value and valueFrom; remove one of them',
            holds: ({ value, valueFrom: source }: { readonly value?: string; readonly valueFrom?: object }) =>
              value === undefined || source === undefined,
          },
        ],
      },
    ),
    { maxItems: 256, optional: true },
  );
}

/** A Secret or ConfigMap of which each key is a variable. */
const allOf = (owner: 'Secret' | 'ConfigMap') =>
  object(
    `${owner} in the same namespace.`,
    {
      name: objectName(`Name of the ${owner}.`),
      optional: boolean(`Whether the container starts if the ${owner} is missing. Defaults to false.`, {
        optional: true,
      }),
    },
    { optional: true },
  );

/** `podTemplate.envFrom`. */
export const envFrom = list(
  'Secrets and ConfigMaps. Each of their keys becomes an environment variable of the main container. A variable of `env` or of the operator has precedence. Defaults to none.',
  object(
    'Secret or ConfigMap in the same namespace.',
    {
      prefix: string('Text before each key. Defaults to none.', {
        minLength: 1,
        maxLength: 256,
        optional: true,
        rules: [matching(VARIABLE, 'must start a variable; use letters, digits and _, such as APP_')],
      }),
      secretRef: allOf('Secret'),
      configMapRef: allOf('ConfigMap'),
    },
    {
      rules: [
        {
          rule: 'has(self.secretRef) != has(self.configMapRef)',
          message: 'must have exactly one source; set secretRef or configMapRef',
          holds: ({ secretRef, configMapRef }: { readonly secretRef?: object; readonly configMapRef?: object }) =>
            (secretRef === undefined) !== (configMapRef === undefined),
        },
      ],
    },
  ),
  { maxItems: 64, optional: true },
);
