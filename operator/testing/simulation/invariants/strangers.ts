import type { InvariantOf } from './invariant.js';

export const strangers: InvariantOf = ({ foreign }) => ({
  promise: 'does not change objects of other owners',
  onEffect: ({ by, before, request }) => {
    if (!by || !before || !foreign.has(before.metadata.uid)) return undefined;
    return `${request.kind.kind} ${before.metadata.name} belongs to another owner, but ${by.identity} changed it`;
  },
});
