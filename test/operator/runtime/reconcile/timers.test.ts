import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../../../operator/runtime/ports/clock.js';
import { silent } from '../../../../operator/runtime/ports/telemetry.js';
import { Operator } from '../../../../operator/runtime/reconcile/operator.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import { bound } from '../given/house.js';
import { widget, widgetController, widgetKind } from '../given/widgets.js';

const month = 30 * 24 * 3_600_000;

test('waits longer than a timer of the engine can, and not none', async () => {
  let woken = 0;
  const cancel = systemClock.after(month, () => woken++);
  await pause(50);
  cancel();
  expect(woken).toBe(0);
});

/** `--resync=720h`, `--pass-deadline=720h`: both are accepted as they are. */
test.each([{ resync: month }, { passDeadline: month }])(
  'with %j a resource has a pass, and then rests',
  async (options) => {
    const memory = new MemoryCluster();
    await memory.create(widgetKind, widget('web'), { manager: 'somebody' });
    const passes: string[] = [];
    let looks = 0;
    const clock = {
      ...systemClock,
      after: (ms: number, then: () => void) =>
        systemClock.after(ms, () => {
          looks++;
          then();
        }),
    };
    const operator = new Operator({
      controllers: [widgetController()],
      cluster: {
        ...bound(memory),
        apply: async (...args) => {
          await pause(10);
          return memory.apply(...args);
        },
      },
      ...{
        clock,
        telemetry: { ...silent, reconciled: ({ result }) => passes.push(result) },
        identity: 'test',
        namespaces: [],
      },
      ...{ maxConcurrentReconciles: 4, resyncPeriod: 30_000, reconcileTimeout: 120_000, gracefulShutdownTimeout: 1 },
      ...options,
    });
    const stop = new AbortController();
    const ended = operator.run(stop.signal);
    await pause(400);
    stop.abort();
    await ended;
    expect(passes.filter((result) => result === 'error')).toEqual([]);
    expect(looks).toBeLessThan(10);
  },
);
