import { sentence, stepOf, withSends } from '../../../../members/index.js';
import type { ConditionMark, Observation } from './observation.js';

/** Whether replicas and votes are where the spec wants them. */
export function balancedOf(seen: Observation): ConditionMark<'Balanced'> {
  const { refusal, unknown } = seen.situation.drain ?? {};
  const election = stepOf(seen, 'unclean');
  if (!election && refusal !== undefined) return { reason: 'DrainRefused', message: sentence(refusal) };
  const step = election ?? stepOf(seen, 'removal', 'quorum', 'balance');
  // A broker that was drained and has left is often still named, which is no fault.
  if (!step) return { reason: 'Balanced', ...(unknown !== undefined && { message: sentence(unknown) }) };
  const message = sentence(step.why);
  if (step.act === 'wait' && step.isRefusal && step.concern === 'unclean')
    return { reason: 'ElectionRefused', message };
  if (step.act === 'wait' && step.isRefusal) return { reason: 'RemovalRefused', message };
  if (step.act === 'call' && seen.call.state === 'failed' && seen.call.kind !== 'unreachable')
    return { reason: 'RequestFailed', message: `${message}, but Kafka refuses it: ${seen.call.why}` };
  return { reason: 'Moving', message: sentence(withSends(step, seen.call)) };
}
