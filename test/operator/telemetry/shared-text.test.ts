import { expect, it } from 'vitest';
import { sharedText } from '../../../operator/telemetry/shared-text.js';
import { FakeClock } from '../fake-clock.js';

it('R34 is rendered once for concurrent and close requests, and takes at most a tenth of the time', async () => {
  const clock = new FakeClock();
  let made = 0;
  const text = sharedText(clock, async () => {
    clock.freeze(20);
    return `${++made}`;
  });
  expect(await Promise.all([text(), text(), text()])).toEqual(['1', '1', '1']);
  await clock.advance(199);
  expect(await text()).toBe('1');
  await clock.advance(1);
  expect(await text()).toBe('2');
});

it('is told as it is now when it costs nothing to make', async () => {
  let made = 0;
  const text = sharedText(new FakeClock(), async () => `${++made}`);
  expect([await text(), await text()]).toEqual(['1', '2']);
});

it('is not kept from those who ask later when it could not be made', async () => {
  const clock = new FakeClock();
  let made = 0;
  const text = sharedText(clock, async () => {
    if (++made === 1) throw new Error('no');
    return 'yes';
  });
  await expect(Promise.all([text(), text()])).rejects.toThrow('no');
  expect(await text()).toBe('yes');
});
