import { afterEach, expect, it } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { RejectedError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { provided } from '../../../../operator/runtime/ports/external-port.js';
import { GivenOperator } from '../given/operator.js';
import { gatherer, gathererController, gathererKind, oracle } from '../given/pollers.js';

let given: GivenOperator;
afterEach(() => given.close());

it('a rejected spec is polled for until its answer arrives', async () => {
  const { desire } = gathererController as unknown as Controller;
  const controller = {
    ...gathererController,
    desire: ((scope, facts) => {
      const { said } = facts.polled as { said?: { known: boolean } };
      if (!said?.known) throw new RejectedError('NotVerified', 'it is not known whether that is allowed');
      desire(scope, facts);
    }) satisfies Controller['desire'],
  } as unknown as Controller;
  const ports = [provided(oracle, async (word: string) => ({ word }))];
  given = await new GivenOperator({ controllers: [controller], ports }).start();
  await given.given(gathererKind, gatherer('one', { question: 'a' }));
  await given.clock.advance(60_000);
  const read = () => given.memory.read(ConfigMap, { namespace: 'team', name: 'one-said' });
  expect(await read()).toMatchObject({ data: { word: 'a' } });
  await given.given(gathererKind, gatherer('one', { question: 'b' }));
  await given.clock.advance(600_000);
  expect(await read()).toMatchObject({ data: { word: 'b' } });
});
