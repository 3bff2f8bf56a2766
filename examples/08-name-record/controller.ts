import { defineController, ExternalCall, type Port } from 'cdk8s-reconstruct/operator';
import { nameRecordKind } from './kind.js';

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
      Refused: ['False', 'The name service refuses the record'],
      Unreachable: ['Unknown', 'The name service does not answer'],
    },
  },
  desire: (scope, { resource: { metadata, spec }, polled: { found } }) => {
    if (!found?.known) return; // not to know is no reason to act
    const address = metadata.deletionTimestamp === undefined ? spec.address : undefined;
    if (found.value.address === address) return;
    const request = { name: metadata.name, ...(address !== undefined && { address }) };
    new ExternalCall(scope, 'record', { port: names, request, refreshes: ['found'] });
  },
  assess: ({ calls, polled: { found } }) => {
    const call = calls.of('record');
    if (call.state === 'failed') {
      const reason = call.kind === 'unreachable' ? 'Unreachable' : 'Refused';
      return { conditions: { Published: { reason, message: call.why } } };
    }
    if (!found?.known) return { conditions: { Published: { reason: 'Unreachable' } } };
    return { conditions: { Published: { reason: call.state === 'none' ? 'Answers' : 'Publishing' } } };
  },
});
