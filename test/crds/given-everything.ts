import { conditions, defineKind, immutable, integer, keyedList, object, set, string } from '../../crds/index.js';

const replicas = integer('Instances.', { minimum: 0, default: 1 });
const status = object(
  'What is.',
  {
    replicas: integer('Instances.', { optional: true }),
    selector: string('Their label selector.', { optional: true }),
    conditions: conditions(),
  },
  { optional: true },
);

/** A kind that uses every part of the language beside the types of fields. */
export const everything = defineKind({
  group: 'testing.example.com',
  kind: 'Everything',
  plural: 'everything',
  shortNames: ['ev'],
  categories: ['testing'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1beta1',
      served: false,
      storage: false,
      deprecated: 'testing.example.com/v1beta1 is deprecated; use v1',
      description: 'Everything, early.',
      spec: object('What is wanted.', { replicas }),
    },
    {
      name: 'v1',
      served: true,
      storage: true,
      description: 'Everything.',
      metadataName: string('Up to 20 characters.', { maxLength: 20 }),
      spec: object(
        'What is wanted.',
        {
          replicas,
          engine: string('Stays as it is.', { rules: [immutable()] }),
          namespace: string('Stays there or absent.', { maxLength: 63, optional: true }),
          'a-dash': string('Stays too.', { maxLength: 63, optional: true }),
          zones: set('Where.', string('A zone.'), { optional: true }),
          ports: keyedList(
            'Where it listens.',
            ['name'],
            object('A port.', { name: string('Its name.'), port: integer('Its number.', { rules: [immutable()] }) }),
            { optional: true },
          ),
        },
        { rules: [immutable('namespace'), immutable('a-dash')] },
      ),
      status,
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
      columns: [
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Engine', type: 'string', jsonPath: '.spec.engine', priority: 1 },
      ],
      rules: [
        {
          rule: "!self.metadata.name.startsWith('bad-')",
          message: 'is a bad name; choose one that does not begin with bad-',
        },
      ],
    },
  ],
});
