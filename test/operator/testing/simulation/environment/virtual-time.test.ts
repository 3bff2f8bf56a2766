import { expect, it } from 'vitest';
import { Chance } from '../../../../../operator/testing/simulation/environment/chance.js';
import { SimulatedProcess } from '../../../../../operator/testing/simulation/environment/process.js';
import { VirtualTime } from '../../../../../operator/testing/simulation/environment/virtual-time.js';

function given() {
  const chance = new Chance('test');
  const time = new VirtualTime(chance);
  const process = new SimulatedProcess('a-1', time, chance.fork('a-1'));
  const heard: string[] = [];
  const later = (ms: number, what: string) => process.later(ms, () => heard.push(`${what} at ${time.now}`));
  return { chance, time, process, heard, later };
}

it('calls back in the order of time, and what is called off never', async () => {
  const { time, heard, later } = given();
  later(20, 'second');
  later(10, 'first');
  later(15, 'never')();
  await time.advance(15);
  expect(heard).toEqual(['first at 10']);
  await time.advance(15);
  expect(heard).toEqual(['first at 10', 'second at 20']);
});

it('lets everything that one callback began come to rest before the next', async () => {
  const { time } = given();
  const order: string[] = [];
  time.after(1, () => void Promise.resolve().then(async () => order.push('began', await 'ended')));
  time.after(1.5, () => order.push('next'));
  await time.advance(2);
  expect(order).toEqual(['began', 'ended', 'next']);
});

it('reaches nothing in a dead process', async () => {
  const { time, process, heard, later } = given();
  later(10, 'timer');
  process.crash();
  await time.advance(20);
  expect(heard).toEqual([]);
});

it('brings a process that stood still all that came meanwhile, but for what it calls off first', async () => {
  const { time, process, heard, later } = given();
  later(10, 'timer');
  const cancel = later(15, 'called off');
  process.standStill(100);
  await time.advance(99);
  expect(heard).toEqual([]);
  cancel();
  await time.advance(1);
  expect(heard).toEqual(['timer at 100']);
});

it('draws the same for the same seed, and from each fork apart', () => {
  const draw = (chance: Chance) => Array.from({ length: 5 }, () => chance.unit());
  expect(draw(new Chance('1'))).toEqual(draw(new Chance('1')));
  expect(draw(new Chance('1'))).not.toEqual(draw(new Chance('2')));
  const [whole, part] = [new Chance('1'), new Chance('1')];
  draw(part.fork('x'));
  expect(draw(part)).toEqual(draw(whole));
  expect(draw(new Chance('1')).every((one) => one >= 0 && one < 1)).toBe(true);
});
