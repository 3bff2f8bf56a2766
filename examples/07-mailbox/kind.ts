import { defineKind, object, type StatusOf, type StoredOf, string } from 'cdk8s-reconstruct/crds';
import type { CustomResource, ObjectKind } from 'cdk8s-reconstruct/operator';

const spec = object('Desired state.', {
  image: string('Container image that runs `create` or `delete` with the name of an account.', { minLength: 1 }),
});

// `defineKind` adds the fields that the runtime writes.
const status = object('Observed state.', {
  account: string('Account at the provider. It exists, or a Job is about to create it.', { optional: true }),
});

/** The kind, from which its CustomResourceDefinition is generated. */
export const definition = defineKind({
  group: 'example.com',
  kind: 'Mailbox',
  scope: 'Namespaced',
  versions: [{ name: 'v1', served: true, storage: true, description: 'An account at a mail provider.', spec, status }],
});

/** A Mailbox with its defaults, as the API server stores it. */
export interface MailboxResource extends CustomResource {
  readonly spec: StoredOf<typeof spec>;
  readonly status?: StatusOf<typeof definition>;
}

/** Names the kind for the operator's watch. */
export const mailboxKind: ObjectKind<MailboxResource, 'Mailbox'> = {
  group: definition.group,
  version: 'v1',
  kind: 'Mailbox',
  plural: definition.plural,
  namespaced: true,
  statusFields: ['account', 'observedGeneration', 'conditions'],
};
