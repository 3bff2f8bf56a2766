import { afterEach, expect, test } from 'vitest';
import type { ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import { type Announcer, provided } from '../../../../operator/runtime/ports/external-port.js';
import { GivenOperator } from '../given/operator.js';
import { closeAll, runs } from '../given/oracle.js';
import { gatherer, gathererController, gathererKind, oracle } from '../given/pollers.js';

afterEach(closeAll);

test('a source that announces a question is asked it anew at once, at most once a second, until the operator stops', async () => {
  const asked: string[] = [];
  let announce: (question: string) => void = () => {};
  let isOver = () => false;
  const announces: Announcer<string> = (to, { signal }) => {
    announce = to;
    isOver = () => signal.aborted;
  };
  const source = async (question: string) => {
    asked.push(question);
    return { word: 'red' };
  };
  const given = runs(
    new GivenOperator({ controllers: [gathererController], ports: [provided(oracle, source, { announces })] }),
  );
  await given.start();
  for (const name of ['colour', 'size'])
    await given.given(gathererKind as ObjectKind, gatherer(name, { question: name, every: 3_600_000 }));
  await given.clock.advance(60_000);
  expect(asked).toEqual(['colour', 'size']);
  announce('size');
  await given.clock.advance(0);
  expect(asked).toEqual(['colour', 'size', 'size']);
  for (let n = 0; n < 10; n++) announce('size');
  await given.clock.advance(900);
  expect(asked).toHaveLength(3);
  await given.clock.advance(100);
  expect(asked).toHaveLength(4);
  announce('taste');
  await given.clock.advance(60_000);
  expect(asked).toHaveLength(4);
  await given.stop();
  expect(isOver()).toBe(true);
});
