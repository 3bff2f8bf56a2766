import { defineKind, object, type StoredOf, set, string } from 'cdk8s-reconstruct/crds';
import type { CustomResource, ObjectKind, RuntimeStatus } from 'cdk8s-reconstruct/operator';

const spec = object('Desired state.', {
  image: string('Container image of the server, which must accept `--to` and a language code.', { minLength: 1 }),
  languages: set(
    'Two-letter language codes. The operator runs one server per language.',
    string('Language code.', { pattern: '^[a-z]{2}$', maxLength: 2 }),
    { minItems: 1, maxItems: 50 },
  ),
});

// `defineKind` adds the fields that the runtime writes.
const status = object('Observed state.', {});

/** The kind, from which its CustomResourceDefinition is generated. */
export const definition = defineKind({
  group: 'example.com',
  kind: 'Translator',
  scope: 'Namespaced',
  versions: [{ name: 'v1', served: true, storage: true, description: 'Translates texts.', spec, status }],
});

/** A Translator with its defaults, as the API server stores it. */
export interface TranslatorResource extends CustomResource {
  readonly spec: StoredOf<typeof spec>;
  readonly status?: RuntimeStatus;
}

/** Names the kind for the operator's watch. */
export const translatorKind: ObjectKind<TranslatorResource, 'Translator'> = {
  group: definition.group,
  version: 'v1',
  kind: 'Translator',
  plural: definition.plural,
  namespaced: true,
};
