import { stepOf } from '../../../members/index.js';
import { conditionOf, type ResourceEvent } from '../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import type { Instance } from '../instances/instances.js';
import { isOutdated, stayingIn } from '../situation.js';
import type { ConditionMark, Observation } from './observation.js';
import { refusedParametersOf } from './parameters.js';
import { passwordsOf } from './passwords.js';

/** Whether every instance runs the current spec, with the passwords of the Secrets. */
export function upToDateOf(seen: Observation): ConditionMark<'UpToDate'> {
  return refusedParametersOf(seen) ?? passwordsOf(seen) ?? rolloutOf(seen);
}

function rolloutOf(seen: Observation): ConditionMark<'UpToDate'> {
  const { situation } = seen;
  const staying = stayingIn(situation);
  const old = staying.filter((instance) => isOutdated(instance, situation));
  const step = stepOf(seen, 'update');
  if (old.length === 0 && !step) return settled(seen);
  const bad = staying.find(({ name, isReady, trouble }) => {
    return !isReady && trouble !== undefined && !old.some((one) => one.name === name);
  });
  const left = `${staying.length - old.length} of ${staying.length} instances run the current spec`;
  if (bad && step?.act === 'wait') return { reason: 'UpdateStalled', message: `${left}; ${bad.name}: ${bad.trouble}` };
  const refusal = refusalIn(seen);
  const reason = step?.act === 'restart' ? 'Restarting' : 'Updating';
  return { reason, message: [left, step?.why, refusal?.text].filter((part) => part !== undefined).join('; ') };
}

/** The refusal of the primary to restart in place. Undefined if it does not refuse, or need not restart. */
function refusalIn(seen: Observation): { readonly name: string; readonly text: string } | undefined {
  const step = stepOf(seen, 'update');
  if (step?.act !== 'restart' || seen.refused === undefined) return undefined;
  const { name } = step.instance;
  return { name, text: `${name} refused the restart: ${seen.refused}` };
}

/** The event of a refusal, once for each refusal. */
export function refusalsIn(seen: Observation): readonly ResourceEvent[] {
  const refusal = refusalIn(seen);
  const before = conditionOf<typeof conditions>(seen.resource, 'UpToDate')?.message;
  if (!refusal || before?.endsWith(refusal.text)) return [];
  const note = `${refusal.name} refused to restart in place: ${seen.refused}`;
  return [{ type: 'Warning', reason: 'RestartRefused', note }];
}

/** A user who expands volumes also changes parameters, so the message names the source of derived ones. */
const derived = 'limits of the log follow spec.storage.size, and cache sizes follow spec.resources';

function settled({ situation, resource }: Observation): ConditionMark<'UpToDate'> {
  const staying = stayingIn(situation);
  const hasBegun = resource.status?.timeline !== undefined || staying.some(({ isReady }) => isReady);
  if (!hasBegun) return { reason: 'Updating', message: 'No instance runs yet' };
  const absent = staying.filter(({ pod }) => pod !== 'there').map(({ name }) => name);
  if (absent.length > 0) return { reason: 'Updating', message: `Instances about to start: ${absent.join(', ')}` };
  // Until an instance has applied the parameters, it does not report whether they need a restart.
  const before = staying.filter(({ report }) => (report?.parameters ?? situation.parameters) !== situation.parameters);
  if (before.length > 0) {
    const names = before.map(({ name }) => name).join(' and ');
    return { reason: 'Updating', message: `Waiting for ${names} to apply parameters; ${derived}` };
  }
  // An instance that recovers or is restored runs with other values meanwhile.
  const isPending = ({ isReady, report }: Instance) => isReady && report?.pendingRestart === true;
  const pending = staying.filter(isPending).map(({ name }) => name);
  if (pending.length === 0) return { reason: 'UpToDate' };
  const restart = pending.length === 1 ? 'delete its Pod' : 'delete their Pods';
  const message = `A parameter change needs another restart of ${pending.join(' and ')}; ${restart}`;
  return { reason: 'RestartPending', message };
}
