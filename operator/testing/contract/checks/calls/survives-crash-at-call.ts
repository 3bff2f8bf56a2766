import assert from 'node:assert/strict';
import type { ControllerCheck } from '../../trial/controller-check.js';
import { type CallFate, memoryPorts, performedBy, statesOf } from '../../trial/memory-port.js';
import type { Trials } from '../../trial/trials.js';

/** The results of a call that a process may not learn. */
const cuts: readonly { readonly when: string; readonly fate: CallFate }[] = [
  { when: 'before the call arrived', fate: { isLost: true } },
  { when: 'after the call, before its answer', fate: { isUnanswered: true } },
  { when: 'after the call, before its effect showed', fate: { isUnanswered: true, isHidden: true } },
];

export const survivesCrashAtCall: ControllerCheck = {
  name: 'reaches the same state outside of the cluster after a crash at any call, and repeats none',
  concerns: ({ calls }) => calls.length > 0,
  holds: async (trials) => {
    const { start } = trials;
    const { trial } = await start();
    const whole = performedBy(trial.outside);
    for (const { when, fate } of cuts)
      for (let cut = 0; cut < whole.length; cut++) {
        const { outside } = await diedAtCall(trials, cut, fate);
        assert.deepEqual(statesOf(outside), statesOf(trial.outside), `crash ${when}, call ${cut}`);
        const vain = performedBy(outside).find(({ isChange }) => !isChange);
        assert.equal(vain, undefined, `crash ${when}, call ${cut}: a call was repeated`);
      }
  },
};

/** A process dies at a call, and another one takes over. The effect of the call shows only then. */
async function diedAtCall({ given, start, process }: Trials, cut: number, fate: CallFate) {
  const { trial } = await start();
  const { memory } = trial;
  const live = await trial.resource(given.resource);
  const outside = memoryPorts(given.ports);
  let calls = 0;
  const isDead = () => calls > cut;
  for (const port of outside)
    port.fate = () => {
      calls++;
      return isDead() ? { ...fate, ...(calls > cut + 1 && { isLost: true }) } : {};
    };
  const first = process(memory, { outside });
  for (let n = 0; live && n < 20 && !isDead(); n++) await first.pass(given.resource);
  for (const port of outside) {
    port.fate = () => ({});
    port.show();
  }
  await process(memory, { outside }).rest(given.resource);
  return { outside };
}
