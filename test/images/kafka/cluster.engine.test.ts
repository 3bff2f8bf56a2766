import { expect, test } from 'vitest';
import { GivenKafka } from '../../given/kafka.js';

test('starts', async () => {
  const t = Date.now();
  await using kafka = await GivenKafka.start({ controllers: 1, brokers: 1 });
  console.log('started', Date.now() - t);
  expect(await kafka.node(0).stop()).toBe(143);
  console.log('stopped', Date.now() - t);
  await kafka.node(0).start();
  console.log('restarted', Date.now() - t);
  await kafka.node(0).kill();
  await kafka.node(0).start();
  console.log('killed and restarted', Date.now() - t);
});
