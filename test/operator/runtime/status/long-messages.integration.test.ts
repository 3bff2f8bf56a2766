import { expect, test } from 'vitest';
import { Event } from '../../../../operator/runtime/kubernetes/kinds.js';
import type { Loose } from '../../../given.js';
import { givenRealHouse } from '../given/real-house.js';
import { conditionOf } from '../given/widgets.js';

const dropped: string[] = [];
const house = givenRealHouse({ telemetry: { eventDropped: ({ why }) => dropped.push(why) } });

test.each([
  { name: 'scripts', complaint: 'naïve 東京 🚀 '.repeat(100) },
  { name: 'half', complaint: `x${'🚀'.repeat(1_000)}` },
  { name: 'long', complaint: 'x'.repeat(40_000) },
])('R34 † what is wrong is said in a condition and in an event, however it is worded: $name', async (given) => {
  const { name, complaint } = given;
  await house().apply(name, { maps: {}, rejected: complaint });
  const accepted = async () => conditionOf(await house().read(house().kind, name), 'Accepted');
  await house().until(accepted);
  const note = async () => {
    const events = (await house().cluster.list(Event, { namespace: house().namespace })).items as Loose[];
    return events.find(({ regarding }) => regarding.name === name)?.['note'];
  };
  await house().until(note);
  const beginning = complaint.slice(0, 201);
  expect([(await accepted())?.['message'], await note()]).toEqual(
    Array(2).fill(expect.stringMatching(new RegExp(`^${beginning}.*…$`, 'u'))),
  );
  expect(dropped).toEqual([]);
});
