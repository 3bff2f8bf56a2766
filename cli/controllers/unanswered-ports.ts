import type { Controller } from '../../operator/runtime/controller/controller.js';
import type { Answers } from '../../operator/runtime/controller/polls.js';

/**
 * A controller without answers for its polls. `desire` works as long as it does not read a polled answer.
 * @param heard called with the name of the port each time `desire` reads a polled answer
 */
export function withoutAnswers(controller: Controller, heard: (port: string) => void): Controller {
  if (Object.keys(controller.polls).length === 0) return controller;
  return {
    ...controller,
    desire: (scope, facts) =>
      controller.desire(scope, { ...facts, polled: overheard(controller, facts.polled, heard) }),
  };
}

function overheard({ polls }: Controller, answers: Answers, heard: (port: string) => void): Answers {
  const seen = {};
  for (const [name, answer] of Object.entries(answers)) {
    const get = () => {
      if (answer !== undefined) heard(polls[name]?.port.name ?? name);
      return answer;
    };
    Object.defineProperty(seen, name, { enumerable: true, get });
  }
  return Object.freeze(seen);
}
