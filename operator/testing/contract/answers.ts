import type { Controller } from '../../runtime/controller/controller.js';
import { type Port, type Provided, provided } from '../../runtime/ports/external-port.js';

/** What is answered at a port in a test. */
export interface FakeSource {
  readonly port: Port;
  readonly answer: (question: never, at: number) => unknown;
}

/**
 * Answers at a port in a test.
 * @param answer pure; `at` is the time, in milliseconds since 1970
 */
export function fakeSource<P, A>(port: Port<P, A>, answer: (question: P, at: number) => A): FakeSource {
  return { port, answer };
}

/** What is answered to a question; undefined where nobody answers. */
export function answerOf(
  port: Port | undefined,
  answers: readonly FakeSource[],
  { question, at }: { readonly question: unknown; readonly at: number },
): { readonly value: unknown } | undefined {
  const answering = answers.find((one) => one.port.name === port?.name);
  return answering && { value: answering.answer(question as never, at) };
}

/** Somebody at each port at which a controller asks. Where a test lets nobody answer, every question fails. */
export function portsOf(
  { polls }: Pick<Controller, 'polls'>,
  answers: readonly FakeSource[],
  now: () => number,
): readonly Provided[] {
  return Object.values(polls).map(({ port }) => {
    return provided(port, async (question: never) => {
      const answer = answerOf(port, answers, { question, at: now() });
      if (answer) return answer.value;
      throw new Error(`nobody answers ${port.name} in this test`);
    });
  });
}
