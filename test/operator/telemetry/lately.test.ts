import { expect, it } from 'vitest';
import { lately } from '../../../operator/telemetry/lately.js';
import { FakeClock } from '../fake-clock.js';

it('R34 is made once for all who ask at the same time, or within a second', async () => {
  const clock = new FakeClock();
  let made = 0;
  const text = lately(clock, async () => `${++made}`);
  expect(await Promise.all([text(), text(), text()])).toEqual(['1', '1', '1']);
  await clock.advance(999);
  expect(await text()).toBe('1');
  await clock.advance(1);
  expect(await text()).toBe('2');
});

it('is not kept from those who ask later when it could not be made', async () => {
  const clock = new FakeClock();
  let made = 0;
  const text = lately(clock, async () => {
    if (++made === 1) throw new Error('no');
    return 'yes';
  });
  await expect(Promise.all([text(), text()])).rejects.toThrow('no');
  await clock.advance(1_000);
  expect(await text()).toBe('yes');
});
