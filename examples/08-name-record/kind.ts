import { defineKind, object, type StoredOf, string } from 'cdk8s-reconstruct/crds';
import type { CustomResource, ObjectKind, RuntimeStatus } from 'cdk8s-reconstruct/operator';

const spec = object('Desired state.', { address: string('Address that the name leads to.', { minLength: 1 }) });

// `defineKind` adds the fields that the runtime writes.
const status = object('Observed state.', {});

/** The kind, from which its CustomResourceDefinition is generated. */
export const definition = defineKind({
  group: 'example.com',
  kind: 'NameRecord',
  scope: 'Namespaced',
  versions: [{ name: 'v1', served: true, storage: true, description: 'A record in a name service.', spec, status }],
});

/** A NameRecord with its defaults, as the API server stores it. */
export interface NameRecordResource extends CustomResource {
  readonly spec: StoredOf<typeof spec>;
  readonly status?: RuntimeStatus;
}

/** Names the kind for the operator's watch. */
export const nameRecordKind: ObjectKind<NameRecordResource, 'NameRecord'> = {
  group: definition.group,
  version: 'v1',
  kind: 'NameRecord',
  plural: definition.plural,
  namespaced: true,
  statusFields: ['observedGeneration', 'conditions'],
};
