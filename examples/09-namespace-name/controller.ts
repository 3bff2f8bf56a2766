import { defineController, ExternalCall, Namespace } from 'cdk8s-reconstruct/operator';
import { names } from '../08-name-record/controller.js';

/** Label of a Namespace with the address that its name leads to. */
export const label = 'names.example.com/address';

/** Gives each labelled Namespace a name in the name service, and removes it with the label or the Namespace. */
export const namespaceName = defineController({
  kind: Namespace,
  name: 'namespace-name',
  reportsTo: 'annotation',
  selects: ({ metadata }) => metadata.labels?.[label] !== undefined,
  owns: [],
  polls: (poll) => ({
    found: poll(names, ({ resource: { metadata } }) => ({
      question: { name: `${metadata.name}.namespaces` },
      interval: 60_000,
    })),
  }),
  calls: [names],
  finalizes: true,
  conditions: {
    Named: {
      Answers: ['True', 'The name leads to the address'],
      Publishing: ['Unknown', 'The name is being changed'],
      Refused: ['False', 'The name service refuses the name', 'Follow the words of the service in the message.'],
      Unreachable: ['Unknown', 'The name service does not answer'],
    },
  },
  desire: (scope, { resource: { metadata }, polled: { found } }) => {
    if (!found?.known) return; // sends nothing, and prunes nothing
    const address = metadata.deletionTimestamp === undefined ? metadata.labels?.[label] : undefined;
    if (found.value.address === address) return;
    const request = { name: `${metadata.name}.namespaces`, ...(address !== undefined && { address }) };
    new ExternalCall(scope, 'name', { port: names, request, refreshes: ['found'] });
  },
  assess: ({ calls, polled: { found } }) => {
    const call = calls.of('name');
    if (call.state === 'failed') {
      const reason = call.kind === 'unreachable' ? 'Unreachable' : 'Refused';
      return { conditions: { Named: { reason, message: call.why } } };
    }
    if (!found?.known) return { conditions: { Named: { reason: 'Unreachable' } } };
    return { conditions: { Named: { reason: call.state === 'none' ? 'Answers' : 'Publishing' } } };
  },
});
