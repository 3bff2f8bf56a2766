import { type CallState, noEffectOf } from '../../runtime/index.js';
import type { AnyStep } from '../plan/step.js';

/** The reason of a step, and that its call had no effect, as a part of a sentence. */
export function withSends({ act, why }: Pick<AnyStep, 'act' | 'why'>, call: CallState | undefined): string {
  const noEffect = act === 'call' && call ? noEffectOf(call) : undefined;
  return noEffect === undefined ? why : `${why}; the request was ${noEffect}`;
}
