import { stepOf } from '../../../../operator/controllers/leader/plan/index.js';
import type { LeaderRole } from '../../../../operator/controllers/leader/ports/roles.js';
import type { Situation } from '../../../../operator/controllers/leader/situation.js';
import { situation } from './given-situation.js';

/** A step in one line, such as `elects b in term 6`. */
export function lineOf(given: Parameters<typeof situation>[0]): string {
  const step = stepOf(toldWhatItShouldBe(situation(given)));
  if (step.does === 'elect') return `elects ${step.holder.split('/')[0] || 'nobody'} in term ${step.term}`;
  if (step.does === 'wait') return [`waits: ${step.why}`, ...(step.names ?? [])].join(' ');
  if (step.does === 'delete') return `deletes ${step.pod.name}`;
  if (step.does === 'hook') return `${step.hook} ${step.pod.name} in term ${step.term}`;
  if (step.does !== 'assign') return step.does;
  const roles = step.pods.map(({ name, role, term, isLabelled }) => {
    const { role: is, term: of, handover } = JSON.parse(role ?? '{}') as Partial<LeaderRole>;
    const to = handover ? ` to ${handover.to.name}` : '';
    return is === undefined ? `${name} ${isLabelled ? 'labelled ' : ''}${term}` : `${name} ${is} ${of}${to}`;
  });
  return `tells ${roles.join(', ')}`;
}

/** Applies assignments of a fence, so that a row about the choice need not repeat the annotations. */
function toldWhatItShouldBe(given: Situation): Situation {
  const step = stepOf(given);
  if (step.does !== 'assign' || step.why !== 'fence' || given.candidates.every(({ report }) => report?.term !== 6))
    return given;
  const candidates = given.candidates.map((one) => {
    const found = step.pods.find(({ uid }) => uid === one.uid);
    if (!found?.role) return one;
    return { ...one, told: { text: found.role, role: JSON.parse(found.role), term: '6', isLabelled: false } };
  });
  return { ...given, candidates };
}
