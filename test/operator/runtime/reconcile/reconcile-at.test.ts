import { afterEach, describe, expect, it } from 'vitest';
import { ConfigMap } from '../../../../operator/runtime/kubernetes/kinds.js';
import { pausedAnnotation, reconcileAtAnnotation } from '../../../../operator/runtime/kubernetes/pause.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { bound } from '../given/house.js';
import { one, strict } from '../given/immutable.js';
import { GivenOperator } from '../given/operator.js';
import { givenRecords, kind as recordKind, web } from '../given/record-operator.js';
import { givenNameService } from '../given/records.js';
import { failure } from '../given/scripted-cluster.js';
import { type WidgetSpec, widget, widgetKind } from '../given/widgets.js';

let given: GivenOperator;
afterEach(() => given.close());

const spec: WidgetSpec = { maps: { a: { size: '1' } } };

const ask = (at: string | undefined, wanted: WidgetSpec = spec, more: object = {}) => {
  const annotations = { ...(at !== undefined && { [reconcileAtAnnotation]: at }), ...more };
  return given.given(widgetKind, widget('web', wanted, { annotations }));
};

describe('R12 a new value of reconcile-at', () => {
  it.each([
    { value: 'the first one', before: undefined, after: '1' },
    { value: 'another one', before: '1', after: 'whatever' },
  ])('is one reconcile of a resource at rest, and no write, if it is $value', async ({ before, after }) => {
    given = await new GivenOperator().start();
    await ask(before);
    given.memory.forgetWrites();
    given.passes.length = 0;
    await ask(after);
    expect([given.passes.length, given.writes]).toEqual([1, []]);
  });

  it('does not wait for the backoff of failures', async () => {
    let isFailing = true;
    const faults = (cluster: Cluster): Cluster => ({
      ...bound(cluster),
      create: async (kind, object, options) => {
        if (isFailing && kind.kind === ConfigMap.kind) throw failure(500, 'InternalError');
        return cluster.create(kind, object, options);
      },
    });
    given = await new GivenOperator({ faults }).start();
    await ask('1');
    await given.clock.advance(600_000);
    isFailing = false;
    expect(given.passes.at(-1)).toBe('error');
    await ask('2');
    expect(given.passes.at(-1)).toBe('success');
  });

  it('sends a rejected write again', async () => {
    const seen = { removals: [], attempts: 0 };
    given = await new GivenOperator({ faults: (cluster) => strict(cluster, seen) }).start();
    await ask('1', one('1'));
    await ask('1', one('2'));
    expect(seen.attempts).toBe(1);
    await ask('2', one('2'));
    expect(seen.attempts).toBe(2);
  });

  it('asks the polls of a resource anew', async () => {
    const service = givenNameService();
    let asked = 0;
    const answerTo = service.answerTo.bind(service);
    service.answerTo = (question) => {
      asked++;
      return answerTo(question);
    };
    const records = await givenRecords({ service });
    given = records.given;
    await records.apply({});
    await given.clock.advance(70_000);
    const before = asked;
    await given.clock.advance(5_000);
    expect(asked).toBe(before);
    const annotate = [{ op: 'add', path: '/metadata/annotations', value: { [reconcileAtAnnotation]: '1' } }] as const;
    await given.memory.patch(recordKind, web, annotate, { manager: 'somebody' });
    await given.clock.advance(1_000);
    expect(asked).toBe(before + 1);
  });

  it('does not resume a paused resource', async () => {
    given = await new GivenOperator().start();
    await ask('1', spec, { [pausedAnnotation]: 'true' });
    await ask('2', spec, { [pausedAnnotation]: 'true' });
    expect((await given.memory.list(ConfigMap, {})).items).toEqual([]);
  });
});
