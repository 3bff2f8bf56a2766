import type { Controller } from '../../../runtime/controller/controller.js';
import { portUsesOf } from '../../../runtime/controller/polls.js';
import { CallError } from '../../../runtime/ports/external-call.js';
import { type Port, type Provided, provided, refuseSameNames } from '../../../runtime/ports/external-port.js';
import type { MemoryPort } from './memory-port.js';

/** The answers of a port in a test. */
export interface FakeSource {
  readonly port: Port;
  readonly answer: (question: never, at: number) => unknown;
}

/**
 * Answers the questions at a port in a test.
 * @param answer pure; `at` is the time, in milliseconds since 1970
 */
export function fakeSource<P, A>(port: Port<P, A>, answer: (question: P, at: number) => A): FakeSource {
  return { port, answer };
}

/** The answer to a question; undefined if no source answers it. */
export function answerOf(
  port: Port | undefined,
  answers: readonly FakeSource[],
  { question, at }: { readonly question: unknown; readonly at: number },
): { readonly value: unknown } | undefined {
  const answering = answers.find((one) => one.port.name === port?.name);
  return answering && { value: answering.answer(question as never, at) };
}

/**
 * A source for each port of a controller. Questions and calls fail if the test gives nothing for the port.
 * @throws {Error} if the test stands in for another port of the same name, which an operator refuses at its start
 */
export function portsOf(
  { name, calls, polls }: Pick<Controller, 'name' | 'calls' | 'polls'>,
  answers: readonly FakeSource[],
  now: () => number,
  ports: readonly MemoryPort[] = [],
): readonly Provided[] {
  const uses = portUsesOf({ name, calls, polls });
  const given = [...answers.map(({ port }) => port), ...ports.map(({ model }) => model.port)];
  refuseSameNames([...uses, ...given.map((port) => ({ port, by: 'the test' }))]);
  const declared = new Map(uses.map(({ port }) => [port.name, port]));
  return [...declared.values()].map((port) => {
    const memory = ports.find(({ model }) => model.port.name === port.name);
    return memory?.provided ?? fakePort(port, answers, now);
  });
}

function fakePort(port: Port, answers: readonly FakeSource[], now: () => number): Provided {
  const source = async (question: never) => {
    const answer = answerOf(port, answers, { question, at: now() });
    if (answer) return answer.value;
    throw new Error(`this test has no answers for ${port.name}`);
  };
  const perform = async () => {
    throw new CallError('terminal', `this test has no model of ${port.name}`);
  };
  return provided(port, source, { perform });
}
