import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { linked } from '../../runtime/concurrency/abort-signals.js';
import { CallError } from '../../runtime/ports/external-call.js';
import type { LongPoll, Perform, Port, Provided, Source } from '../../runtime/ports/external-port.js';
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
  /** The part of an answer that is compared, for a port whose answers have a version. @default - all of it */
  readonly content?: (answer: A) => unknown;
}

/** A system of one check, and the process that asks it. */
interface Begun<A, R> {
  /** The compared part of an answer. */
  readonly ask: (until?: AbortSignal) => Promise<unknown>;
  readonly answer: (longPoll?: LongPoll, until?: AbortSignal) => Promise<A>;
  readonly send: (what: R, until?: AbortSignal) => Promise<unknown>;
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
  const { question, before, request, after, refused, visibleWithin = 0, content = (answer) => answer } = given;
  const begin = async (): Promise<Begun<A, R>> => {
    const { source, performer } = await given.start();
    assert.ok(performer, `${given.port.name} performs no calls: pass perform to provided()`);
    const answer = source as Source<Q, A>;
    const send = performer.perform as Perform<R>;
    const { signal } = new AbortController();
    return {
      ask: async (until = signal) => content(await answer(question, { signal: until })),
      answer: (longPoll?: LongPoll, until = signal) => answer(question, { signal: until, longPoll }),
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
    ...(given.port.versionOf ? longPollChecks(given, begin) : []),
  ];
}

/** Milliseconds that an answer takes only if it is held, also on a machine that does much else. */
const late = 60_000;
/** Milliseconds in which an answer that is not held arrives, most of the time. A slow one passes for a held one. */
const meanwhile = 150;

/** The guarantees of a source that holds questions. */
function longPollChecks<Q, A, R>(
  { port, request, after, content = (answer) => answer }: PortCase<Q, A, R>,
  begin: () => Promise<Begun<A, R>>,
): readonly ContractCheck[] {
  const versionOf = (answer: A) => {
    const version = port.versionOf?.(answer);
    assert.ok(version !== undefined, 'the answer has no version');
    return version;
  };
  const isOpen = async (answer: Promise<unknown>) => {
    const none = Symbol('no answer');
    return (await Promise.race([answer, pause(meanwhile, none)])) === none;
  };
  /** @throws {Error} if the answer is held */
  const inTime = async (answer: Promise<A>, when: string) => {
    const answered = new AbortController();
    const held = async (): Promise<never> => {
      await pause(late, undefined, { signal: answered.signal });
      throw new Error(`not answered within ${late / 1000} s ${when}`);
    };
    return Promise.race([answer, held()]).finally(() => answered.abort());
  };
  return [
    {
      name: 'answers a held question at once if the answer has another version already',
      holds: async () => {
        const { answer, send } = await begin();
        const old = versionOf(await answer());
        await send(request);
        const now = await inTime(answer({ after: old, wait: 10 * late }), 'after the question');
        assert.deepEqual(content(now), after);
      },
    },
    {
      name: 'holds a question until the answer changes',
      holds: async () => {
        const { answer, send } = await begin();
        const old = versionOf(await answer());
        const held = answer({ after: old, wait: 10 * late });
        assert.ok(await isOpen(held), 'answered without a change');
        await send(request);
        const now = await inTime(held, 'after the change');
        assert.deepEqual(content(now), after);
        assert.notEqual(versionOf(now), old);
      },
    },
    {
      name: 'holds a question no longer than it may, and has the same version then',
      holds: async () => {
        const { answer } = await begin();
        const old = versionOf(await answer());
        const began = performance.now();
        const now = await inTime(answer({ after: old, wait: 2 * meanwhile }), 'after the question');
        const took = performance.now() - began;
        assert.ok(took >= meanwhile, `answered after ${took} ms`);
        assert.equal(versionOf(now), old);
      },
    },
    {
      name: 'lets a held question go when its signal aborts',
      holds: async () => {
        const { answer } = await begin();
        const { signal, abort } = linked();
        const held = answer({ after: versionOf(await answer()), wait: 10 * late }, signal);
        assert.ok(await isOpen(held), 'answered without a change');
        abort(new Error('no longer needed'));
        await assert.rejects(inTime(held, 'after its signal has aborted'), /no longer needed/);
      },
    },
  ];
}
