import { isOutdated, stayingIn } from '../plan/index.js';
import { type Said, type Seen, stepOf } from './seen.js';

/** Whether every instance runs what the spec says. */
export function currencyOf(seen: Seen): Said<'Current'> {
  const { situation } = seen;
  const staying = stayingIn(situation);
  const old = staying.filter((instance) => isOutdated(instance, situation));
  const step = stepOf(seen, 'update');
  if (old.length === 0 && !step) return settled(seen);
  const bad = staying.find(({ name, isReady, trouble }) => {
    return !isReady && trouble !== undefined && !old.some((one) => one.name === name);
  });
  const left = `${staying.length - old.length} of ${staying.length} instances run what the spec says`;
  if (bad && step?.act === 'wait') return { reason: 'Stuck', message: `${left}; ${bad.name}: ${bad.trouble}` };
  const reason = step?.act === 'restart' ? 'Restarting' : 'Updating';
  return { reason, message: step ? `${left}; ${step.why}` : left };
}

function settled({ situation }: Seen): Said<'Current'> {
  const staying = stayingIn(situation);
  const absent = staying.filter(({ pod }) => pod !== 'there').map(({ name }) => name);
  if (absent.length > 0) return { reason: 'Updating', message: `about to start: ${absent.join(', ')}` };
  const pending = staying.filter(({ report }) => report?.pendingRestart).map(({ name }) => name);
  if (pending.length === 0) return { reason: 'UpToDate' };
  return {
    reason: 'RestartPending',
    message: `a parameter takes effect with another restart of ${pending.join(' and ')}: restart it by hand`,
  };
}
