import { conditions, defineKind, integer, object, type StoredOf, set, string } from 'cdk8s-reconstruct/crds';
import type { CustomResource, ObjectKind, RuntimeStatus } from 'cdk8s-reconstruct/operator';

const spec = object('What should be served.', {
  image: string('The server, which takes `--to` and a language.', { minLength: 1 }),
  languages: set(
    'Two-letter codes of the languages, a server for each.',
    string('One language.', { pattern: '^[a-z]{2}$', maxLength: 2 }),
    { minItems: 1, maxItems: 50 },
  ),
});

const status = object(
  'What was observed. The runtime writes both fields for every kind.',
  {
    observedGeneration: integer('The generation of the spec that it is about.', { format: 'int64', optional: true }),
    conditions: conditions(),
  },
  { optional: true },
);

/** The API: its CustomResourceDefinition follows from it. */
export const definition = defineKind({
  group: 'example.com',
  kind: 'Translator',
  scope: 'Namespaced',
  versions: [{ name: 'v1', served: true, storage: true, description: 'Translates texts.', spec, status }],
});

/** A Translator as the operator reads it. */
export interface TranslatorResource extends CustomResource {
  readonly spec: StoredOf<typeof spec>;
  readonly status?: RuntimeStatus;
}

/** What the operator watches. */
export const translatorKind: ObjectKind<TranslatorResource, 'Translator'> = {
  group: definition.group,
  version: 'v1',
  kind: 'Translator',
  plural: definition.plural,
  namespaced: true,
};
