import type { Controller } from '../controller/controller.js';
import type { CustomResource } from '../controller/custom-resource.js';
import type { Facts } from '../controller/facts.js';
import { type Answers, awaited, type Polled, type PollRequest } from '../controller/polls.js';
import { callUserCode } from '../controller/user-code.js';
import { keyOf } from '../kubernetes/object.js';
import { ObservedDependencies } from '../memory/observed-dependencies.js';
import type { Keep } from '../rendering/keep.js';
import type { Asked } from './poller.js';
import type { Askings, Pollers } from './pollers.js';

/** The polls of a resource, and what is known of their answers. */
export interface ExternalAnswers {
  readonly requests: Askings;
  readonly answers: Answers;
  /** When the known answers were asked for, by the names of the polls. */
  readonly asked: ReadonlyMap<string, Asked>;
  /** The facts that were read to determine the polls. */
  readonly dependencies: ObservedDependencies;
}

/** For a controller without polls. */
export const noExternalAnswers: ExternalAnswers = Object.freeze({
  requests: new Map(),
  answers: Object.freeze({}),
  asked: new Map(),
  dependencies: new ObservedDependencies(),
});

/**
 * The polls of a resource as its controller declares them, and their known answers.
 * @param facts called only for a controller with polls
 */
export function externalAnswersFor(
  resource: CustomResource,
  { controller, pollers }: { readonly controller: Controller; readonly pollers?: Pollers | undefined },
  facts: () => Facts,
): ExternalAnswers {
  if (Object.keys(controller.polls).length === 0) return noExternalAnswers;
  const key = keyOf(resource.metadata);
  const asked = new Map<string, Asked>();
  const found = answersToPolls(controller, facts(), (name, request) => {
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

/**
 * What stays because an answer is missing that `desire` read: it may have left out any object for want of the answer.
 * @param dependencies what `desire` read
 */
export function unansweredKeeps(
  { optionalPolls }: Pick<Controller, 'optionalPolls'>,
  { unanswered }: Pick<ObservedDependencies, 'unanswered'>,
  answers: Answers,
): readonly Keep[] {
  if (optionalPolls === 'all') return [];
  const needed = [...unanswered].filter((poll) => !optionalPolls.includes(poll)).sort();
  return needed.map((poll) => {
    const answer = answers[poll];
    const why = answer?.known === false ? `: ${answer.why}` : '';
    return { why: `poll ${poll} has no answer${why}` };
  });
}
