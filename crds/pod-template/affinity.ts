import { objectName } from '../fields/names.js';
import { integer, list, object, string } from '../schema/index.js';
import { labelSelector, nodeRequirements, topologyKey } from './selectors.js';

const weight = integer('Weight of the preference, compared with those of the others.', { minimum: 1, maximum: 100 });

/** The name of a node is the only field that nodes can be selected by. */
const matchFields = list(
  'Requirements for the name of the node. All must be met.',
  object('Requirement for a field.', {
    key: string('Field of the node: metadata.name.', { maxLength: 32, pattern: '^metadata\\.name$' }),
    operator: string('Comparison with the value: In or NotIn.', { maxLength: 8, pattern: '^(In|NotIn)$' }),
    values: list('Name of the node.', objectName('Name of the node.'), { minItems: 1, maxItems: 1 }),
  }),
  { maxItems: 8, optional: true },
);

const nodeTerm = {
  matchExpressions: nodeRequirements,
  matchFields,
};

const nodeAffinity = object(
  'Nodes for the Pods.',
  {
    requiredDuringSchedulingIgnoredDuringExecution: object(
      'Nodes that can run the Pods.',
      {
        nodeSelectorTerms: list(
          'Groups of nodes. A node must be in one of them.',
          object('Group of nodes.', nodeTerm),
          {
            minItems: 1,
            maxItems: 16,
          },
        ),
      },
      { optional: true },
    ),
    preferredDuringSchedulingIgnoredDuringExecution: list(
      'Nodes that are preferred for the Pods.',
      object('Preference with a weight.', { weight, preference: object('Group of nodes.', nodeTerm) }),
      { maxItems: 16, optional: true },
    ),
  },
  { optional: true },
);

const podTerm = object('Group of Pods, and the part of the cluster in which they count.', {
  labelSelector: labelSelector('Pods of the group. Without it, the group is empty.'),
  namespaces: list('Namespaces of the group. Defaults to the namespace of the resource.', objectName('Namespace.'), {
    maxItems: 32,
    optional: true,
  }),
  namespaceSelector: labelSelector('Further namespaces of the group. Defaults to none.'),
  topologyKey: topologyKey('Node label whose values are the parts of the cluster, such as `kubernetes.io/hostname`.'),
});

const podAffinity = (what: string) =>
  object(
    what,
    {
      requiredDuringSchedulingIgnoredDuringExecution: list('Groups that decide where a Pod can run.', podTerm, {
        maxItems: 16,
        optional: true,
      }),
      preferredDuringSchedulingIgnoredDuringExecution: list(
        'Groups that decide where a Pod should run.',
        object('Preference with a weight.', { weight, podAffinityTerm: podTerm }),
        { maxItems: 16, optional: true },
      ),
    },
    { optional: true },
  );

/** `podTemplate.affinity`. */
export const affinity = object(
  'Nodes that the Pods need or prefer, and Pods that they need to be near to or apart from. Defaults to none.',
  {
    nodeAffinity,
    podAffinity: podAffinity('Pods to be near to.'),
    podAntiAffinity: podAffinity('Pods to be apart from.'),
  },
  { optional: true },
);
