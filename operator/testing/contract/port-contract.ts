import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { CallError } from '../../runtime/ports/external-call.js';
import type { Perform, Port, Provided, Source } from '../../runtime/ports/external-port.js';
import type { ContractCheck } from './contract-check.js';

/** The test data of a source that answers questions and carries out requests. */
export interface PortCase<Q, A, R> {
  readonly port: Port<Q, A, R>;
  /** A system in the same state each time. */
  readonly start: () => Promise<Provided>;
  readonly question: Q;
  /** The answer at the start. */
  readonly before: A;
  /** Changes the answer. */
  readonly request: R;
  /** The answer after the request. */
  readonly after: A;
  /** Milliseconds within which an effect shows. @default 0 */
  readonly visibleWithin?: number;
  /** A request that the system never accepts. @default - refusals are not tested */
  readonly refused?: R;
}

/** Milliseconds between two questions. */
const every = 20;

/**
 * The guarantees of a source with a performer, for the real one and for a fake, so that a controller that works with one
 * works with the other.
 *
 * @example for (const { name, holds } of portContract({ port: dns, start, question, before, request, after })) it(name, holds);
 */
export function portContract<Q, A, R>(given: PortCase<Q, A, R>): readonly ContractCheck[] {
  const { question, before, request, after, refused, visibleWithin = 0 } = given;
  const begin = async () => {
    const { source, performer } = await given.start();
    assert.ok(performer, `${given.port.name} performs no calls: pass perform to provided()`);
    const ask = source as Source<Q, unknown>;
    const send = performer.perform as Perform<R>;
    const { signal } = new AbortController();
    return {
      ask: (until = signal) => ask(question, { signal: until }),
      send: (what: R, until = signal) => send(what, { signal: until, mayLeave: () => {} }),
    };
  };
  const shows = async (ask: () => Promise<unknown>, answer: A) => {
    for (let waited = 0; waited < visibleWithin; waited += every) {
      if (JSON.stringify(await ask()) === JSON.stringify(answer)) break;
      await pause(every);
    }
    assert.deepEqual(await ask(), answer);
  };

  return [
    {
      name: 'answers the question, and shows the effect of a request within visibleWithin',
      holds: async () => {
        const { ask, send } = await begin();
        assert.deepEqual(await ask(), before);
        await send(request);
        await shows(ask, after);
      },
    },
    {
      name: 'has the same state after the same request twice',
      holds: async () => {
        const { ask, send } = await begin();
        await send(request);
        await shows(ask, after);
        await send(request);
        await pause(visibleWithin);
        assert.deepEqual(await ask(), after);
      },
    },
    {
      name: 'rejects when its signal has aborted, and sends nothing then',
      holds: async () => {
        const { ask, send } = await begin();
        await assert.rejects(async () => send(request, AbortSignal.abort()));
        await assert.rejects(async () => ask(AbortSignal.abort()));
        await pause(visibleWithin);
        assert.deepEqual(await ask(), before);
      },
    },
    {
      name: 'rejects a request that the system never accepts with a terminal CallError, without an effect',
      holds: async () => {
        if (refused === undefined) return;
        const { ask, send } = await begin();
        const isTerminal = (error: unknown) => error instanceof CallError && error.kind === 'terminal';
        await assert.rejects(async () => send(refused), isTerminal);
        assert.deepEqual(await ask(), before);
      },
    },
  ];
}
