import assert from 'node:assert/strict';
import type { Controller } from '../../runtime/controller/controller.js';
import type { LiveObject, Manifest } from '../../runtime/kubernetes/object.js';
import type { MemoryCluster } from '../memory/memory-cluster.js';
import type { ContractCheck } from './contract-check.js';
import { type CallFate, type MemoryPort, memoryPorts, type PortModel, statesOf } from './memory-port.js';
import type { Trial } from './trial.js';

interface CallTrials {
  readonly given: { readonly resource: Manifest; readonly ports?: readonly PortModel[] };
  /** A process that has reconciled the resource until nothing is left to do. */
  readonly start: () => Promise<{ readonly trial: Trial; readonly resource: LiveObject }>;
  /** A process beside or after another one. */
  readonly process: (memory: MemoryCluster, options: { readonly outside: readonly MemoryPort[] }) => Trial;
}

/** The results of a call that a process may not learn. */
const cuts: readonly { readonly when: string; readonly fate: CallFate }[] = [
  { when: 'before the call arrived', fate: { isLost: true } },
  { when: 'after the call, before its answer', fate: { isUnanswered: true } },
  { when: 'after the call, before its effect showed', fate: { isUnanswered: true, isHidden: true } },
];

/** The guarantees of a controller with external calls. None for any other. */
export function callChecks(controller: Controller, trials: CallTrials): readonly ContractCheck[] {
  if (controller.calls.length === 0) return [];
  const { given, start, process } = trials;
  const performed = (ports: readonly MemoryPort[]) => ports.flatMap((port) => port.performed);
  return [
    {
      name: 'sends no further call in a second reconcile, or in ten, or in another process',
      holds: async () => {
        const { trial } = await start();
        const { length } = performed(trial.outside);
        assert.ok(
          length > 0,
          'nothing was called; use a resource for which desire renders a call, and a model in ports',
        );
        for (let n = 0; n < 10; n++) await trial.pass(given.resource);
        const next = process(trial.memory, { outside: trial.outside });
        await next.rest(given.resource);
        assert.equal(performed(trial.outside).length, length);
        assert.ok(
          performed(trial.outside).every(({ isChange }) => isChange),
          'a call changed nothing',
        );
      },
    },
    {
      name: 'sends no call while its polls have no answers',
      holds: async () => {
        const outside = memoryPorts(given.ports);
        for (const port of outside) port.silence = 'the system is away';
        const trial = process((await start()).trial.memory, { outside });
        await trial.rest(given.resource);
        assert.deepEqual(performed(outside), []);
      },
    },
    {
      name: 'reaches the same state outside of the cluster after a crash at any call, and repeats none',
      holds: async () => {
        const { trial } = await start();
        const whole = performed(trial.outside);
        for (const { when, fate } of cuts)
          for (let cut = 0; cut < whole.length; cut++) {
            const { outside } = await diedAtCall(trials, cut, fate);
            assert.deepEqual(statesOf(outside), statesOf(trial.outside), `crash ${when}, call ${cut}`);
            const vain = performed(outside).find(({ isChange }) => !isChange);
            assert.equal(vain, undefined, `crash ${when}, call ${cut}: a call was repeated`);
          }
      },
    },
    {
      name: 'leaves nothing outside of the cluster when the resource is deleted',
      holds: async () => {
        if (!controller.finalizes) return;
        const { trial, resource } = await start();
        await trial.memory.remove(controller.kind, resource.metadata, { uid: resource.metadata.uid });
        await trial.rest(given.resource);
        assert.equal(
          await trial.resource(given.resource),
          undefined,
          'the resource still exists; render no call when nothing is left',
        );
        assert.deepEqual(statesOf(trial.outside), statesOf(memoryPorts(given.ports)));
      },
    },
  ];
}

/** A process dies at a call, and another one takes over. The effect of the call shows only then. */
async function diedAtCall({ given, start, process }: CallTrials, cut: number, fate: CallFate) {
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
