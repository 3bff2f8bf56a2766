import { afterEach, expect, it } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import type { CustomResource } from '../../../../operator/runtime/controller/custom-resource.js';
import { defineController } from '../../../../operator/runtime/controller/define-controller.js';
import { RejectedError } from '../../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap, Secret } from '../../../../operator/runtime/kubernetes/kinds.js';
import { GivenOperator } from '../given/operator.js';
import { reader, readerKind, secret } from '../given/readers.js';
import { add } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

it('an object that a rejected spec refers to wakes its resource when it appears', async () => {
  const controller = defineController({
    kind: readerKind,
    owns: [ConfigMap],
    conditions: { Read: { Complete: ['True', 'all is there'] } },
    reads: ({ named }) => ({ key: named(Secret, ({ spec }) => spec.key) }),
    desire: (scope, { resource, reads }) => {
      if (!reads.key) throw new RejectedError('NoKey', 'make the Secret first');
      add(scope, 'v1', 'ConfigMap', 'saw', {
        data: { key: String((resource as CustomResource & { spec: { key: string } }).spec.key) },
      });
    },
    assess: () => ({ conditions: { Read: { reason: 'Complete' } } }),
  }) as unknown as Controller;
  given = await new GivenOperator({ controllers: [controller], resyncPeriod: 36_000_000 }).start();
  await given.given(Secret, secret('a', 'x'));
  await given.given(readerKind, reader('one', { key: 'a' }));
  await given.given(readerKind, reader('one', { key: 'b' }));
  await given.given(Secret, secret('b', 'x'));
  await given.clock.advance(600_000);
  expect(await given.memory.read(ConfigMap, { namespace: 'team', name: 'saw' })).toMatchObject({ data: { key: 'b' } });
});
