import assert from 'node:assert/strict';
import { contents } from '../../trial/contents.js';
import type { ControllerCheck } from '../../trial/controller-check.js';
import { type Cut, cutCluster } from '../../trial/cut-cluster.js';
import { editableOf } from '../../trial/given-resource.js';
import { Trial } from '../../trial/trial.js';
import type { Trials } from '../../trial/trials.js';

export const survivesCrashAtWrite: ControllerCheck = {
  name: 'reaches the same state after a crash at any write',
  holds: async (trials) => {
    const { given, start } = trials;
    const whole = await contents((await start()).trial, given);
    for (const isCarriedOut of [false, true]) {
      for (let write = 0, isCut = true; isCut; write++) {
        const cut = await diedAt(trials, { write, isCarriedOut });
        assert.deepEqual(cut.contents, whole, `crash at write ${write}, carried out: ${isCarriedOut}`);
        isCut = cut.died;
      }
    }
  },
};

/** The state after a process crashed at a write and another one took over. */
async function diedAt({ controller, given, memoryWith, write }: Trials, cut: Cut) {
  const memory = await memoryWith();
  let died = false;
  const crashed = () => {
    died = true;
  };
  const first = new Trial(controller, memory, { ...given, cluster: cutCluster(memory, { ...cut, crashed }) });
  const next = new Trial(controller, memory, { ...given, outside: first.outside });
  await write(next, given.resource, editableOf(given.resource));
  await first.rest(given.resource).catch((error: unknown) => {
    if (!died) throw error;
  });
  await next.rest(given.resource);
  return { died, contents: await contents(next, given) };
}
