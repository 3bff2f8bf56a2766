import type { InvariantOf } from './invariant.js';

export const strangers: InvariantOf = ({ foreign }) => ({
  promise: "leaves somebody else's objects alone",
  onEffect: ({ by, before, request }) => {
    if (!by || !before || !foreign.has(before.metadata.uid)) return undefined;
    return `${request.kind.kind} ${before.metadata.name} is somebody else's, but ${by.identity} changed it`;
  },
});
