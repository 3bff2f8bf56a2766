import type { CallView } from '../../../../operator/runtime/external/call-records.js';
import type { DesiredCall } from '../../../../operator/runtime/rendering/external-call.js';

/** A call `address` of the port `dns`. */
export const call = (changed: Partial<DesiredCall> = {}): DesiredCall => ({
  ...{
    name: 'address',
    port: 'dns',
    request: {},
    logged: '{}',
    hash: 'one',
    refreshes: ['found'],
    after: [],
    secret: undefined,
  },
  ...{ visibleWithin: 30_000, timeout: 10_000, irreversible: false, independent: false, ...changed },
});

/** The state of a poll. */
export const known = { known: true, value: 'an answer', at: 0, earlier: [] } as const;
export const unknown = { known: false, why: 'away', since: 0, earlier: [] } as const;

/** A view on an answer that was asked for at a time, in an order. */
export const view = (at: number, order: number, changed: Partial<CallView> = {}): CallView => ({
  ...{ answers: { found: known }, asked: new Map([['found', { at, order }]]), stamp: '1', now: at },
  ...{ inherited: () => Number.NEGATIVE_INFINITY, unreachable: () => undefined, timeOf: (time) => time, ...changed },
});
