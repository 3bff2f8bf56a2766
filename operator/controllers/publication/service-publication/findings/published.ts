import type { Mark } from '../../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import type { TargetReason, TargetState } from '../situation.js';

/** From the worst to the best. */
const order: readonly TargetReason[] = [
  'Conflict',
  'Duplicate',
  'InvalidTarget',
  'CallFailed',
  'TargetUnavailable',
  'NoEffect',
  'DryRun',
  'Publishing',
  'Withdrawing',
  'UpToDate',
];

/** The worst target gives the reason, and the message names each bad one. */
export function publishedOf(states: readonly TargetState[]): Mark<keyof (typeof conditions)['Published']> {
  const bad = states.filter(({ reason }) => reason !== 'UpToDate');
  const [worst] = bad.toSorted((one, other) => order.indexOf(one.reason) - order.indexOf(other.reason));
  if (!worst) return { reason: 'UpToDate' };
  const all = bad.map(({ where, message, reason }) => `${where}: ${message ?? sentences[reason]}`);
  return { reason: worst.reason, message: capitalized(all.join('; ')) };
}

const sentences: Partial<Readonly<Record<TargetReason, string>>> = {
  Withdrawing: 'is no longer in the spec, and is being removed',
  Publishing: 'is being published',
};

function capitalized(text: string): string {
  return text.startsWith('ConfigMap') ? text : `Target ${text}`;
}
