import { defineController, ExternalCall, noEffectOf, type Port } from 'cdk8s-reconstruct/operator';
import { type NameRecordResource, nameRecordKind } from './kind.js';

/** Without an address, the name is removed. */
export interface SetRecord {
  readonly name: string;
  readonly address?: string;
}

/** The name service: it answers what a name leads to, and changes it. It shows a change within five seconds. */
export const names: Port<{ readonly name: string }, { readonly address?: string }, SetRecord> = {
  name: 'names',
  visibleWithin: 5_000,
};

/** The address that the name leads to. Undefined for a resource that is being deleted. */
const wantedBy = ({ metadata, spec }: NameRecordResource) =>
  metadata.deletionTimestamp === undefined ? spec.address : undefined;

/** Keeps a record in the name service, and removes it with its NameRecord. */
export const nameRecord = defineController({
  kind: nameRecordKind,
  owns: [],
  polls: (poll) => ({
    found: poll(names, ({ resource: { metadata } }) => ({ question: { name: metadata.name }, interval: 60_000 })),
  }),
  calls: [names],
  finalizes: true,
  conditions: {
    Published: {
      Answers: ['True', 'The name leads to the address'],
      Publishing: ['Unknown', 'The record is being changed'],
      NoEffect: ['False', 'The name service accepts the record and does not change it', 'Check the name service.'],
      Refused: ['False', 'The name service refuses the record', 'Follow the words of the service in the message.'],
      Unreachable: ['Unknown', 'The name service does not answer'],
    },
  },
  desire: (scope, { resource, polled: { found } }) => {
    if (!found?.known) return; // sends nothing, and prunes nothing
    const address = wantedBy(resource);
    if (found.value.address === address) return;
    const request = { name: resource.metadata.name, ...(address !== undefined && { address }) };
    new ExternalCall(scope, 'record', { port: names, request, refreshes: ['found'] });
  },
  assess: ({ resource, calls, polled: { found } }) => {
    const call = calls.of('record');
    if (call.state === 'failed') {
      const reason = call.kind === 'unreachable' ? 'Unreachable' : 'Refused';
      return { conditions: { Published: { reason, message: call.why } } };
    }
    if (!found?.known) return { conditions: { Published: { reason: 'Unreachable' } } };
    const change = { wanted: wantedBy(resource) ?? 'none', seen: found.value.address ?? 'none' };
    const noEffect = noEffectOf(call, change);
    if (noEffect) return { conditions: { Published: { reason: 'NoEffect', message: `The record was ${noEffect}` } } };
    return { conditions: { Published: { reason: call.state === 'none' ? 'Answers' : 'Publishing' } } };
  },
});
