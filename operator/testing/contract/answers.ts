import type { Controller } from '../../runtime/controller/controller.js';
import { type Port, type Provided, provided } from '../../runtime/ports/external-port.js';

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

/** A source for each port of a controller. Questions fail if the test gives no answer for the port. */
export function portsOf(
  { polls }: Pick<Controller, 'polls'>,
  answers: readonly FakeSource[],
  now: () => number,
): readonly Provided[] {
  return Object.values(polls).map(({ port }) => {
    return provided(port, async (question: never) => {
      const answer = answerOf(port, answers, { question, at: now() });
      if (answer) return answer.value;
      throw new Error(`this test has no answers for ${port.name}`);
    });
  });
}
