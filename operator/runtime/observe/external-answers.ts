import type { ExternalAnswers, Observation } from '../context/reconcile-context.js';
import type { Controller } from '../controller/controller.js';
import type { CustomResource } from '../controller/custom-resource.js';
import type { Facts } from '../controller/facts.js';
import { awaited, type Polled, type PollRequest } from '../controller/polls.js';
import { callUserCode } from '../controller/user-code.js';
import { keyOf } from '../kubernetes/object.js';
import { ObservedDependencies } from '../memory/observed-dependencies.js';
import type { Asked } from '../memory/poller.js';
import { observedFacts } from './observed-facts.js';

/** For a controller without polls. */
export const noExternalAnswers: ExternalAnswers = Object.freeze({
  requests: new Map(),
  answers: Object.freeze({}),
  asked: new Map(),
  dependencies: new ObservedDependencies(),
});

/** The polls of a resource as its controller declares them, and their known answers. */
export function externalAnswersFor(resource: CustomResource, observation: Observation): ExternalAnswers {
  const { controller, pollers } = observation;
  if (Object.keys(controller.polls).length === 0) return noExternalAnswers;
  const key = keyOf(resource.metadata);
  const asked = new Map<string, Asked>();
  const found = answersToPolls(controller, observedFacts(resource, observation), (name, request) => {
    const when = pollers?.askedFor(key, name, request);
    if (when) asked.set(name, when);
    return pollers?.answerTo(key, name, request);
  });
  return { ...found, asked };
}

/** @param answerTo the known answer, undefined for a poll that has not started */
export function answersToPolls(
  { name: controller, polls }: Pick<Controller, 'name' | 'polls'>,
  facts: Facts,
  answerTo: (name: string, request: PollRequest) => Polled | undefined,
): Omit<ExternalAnswers, 'asked'> {
  const dependencies = new ObservedDependencies();
  const seen = dependencies.of(facts);
  const requests = new Map<string, PollRequest>();
  const answers: Record<string, Polled> = {};
  const notPolled = { known: false, why: awaited.notPolled, since: facts.now.getTime(), earlier: [] } as const;
  for (const [name, poll] of Object.entries(polls)) {
    const wanted = callUserCode(controller, 'polls', () => poll.request(seen));
    if (!wanted) continue;
    requests.set(name, wanted);
    answers[name] = answerTo(name, wanted) ?? notPolled;
  }
  return { requests, answers: Object.freeze(answers), dependencies };
}
