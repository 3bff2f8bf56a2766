import type { Controller } from '../controller/controller.js';
import type { Answers } from '../controller/polls.js';
import type { ObservedDependencies } from '../memory/observed-dependencies.js';
import type { Keep } from '../rendering/keep.js';

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
