import { afterEach, describe, expect, it } from 'vitest';
import { pausedAnnotation } from '../../../../operator/runtime/kubernetes/pause.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import type { MemoryCluster } from '../../../../operator/testing/index.js';
import { settled } from '../../fake-clock.js';
import { bound } from '../given/house.js';
import type { GivenOperator } from '../given/operator.js';
import { closeAll } from '../given/oracle.js';
import { givenRecords, one, kind as recordKind, web } from '../given/record-operator.js';
import { conditionOf } from '../given/widgets.js';

let given: GivenOperator;
afterEach(closeAll);

const sentence = 'The resource is paused: no object is written and no external call is sent';

describe('R36 R40 the calls of a paused resource', () => {
  const pause = async (cluster: MemoryCluster, value?: string) => {
    const path = '/metadata/annotations';
    const annotations = value === undefined ? {} : { [pausedAnnotation]: value };
    await cluster.patch(recordKind, web, [{ op: 'add', path, value: annotations }], { manager: 'somebody' });
    await settled();
  };

  it('are not sent, and sent when it is resumed', async () => {
    const records = await givenRecords();
    given = records.given;
    await records.apply({});
    await given.clock.advance(60_000);
    await pause(given.memory, 'true');
    await records.apply({ address: '1' });
    await given.clock.advance(3_600_000);
    expect(records.requests()).toEqual([]);
    expect(conditionOf(await records.find(), 'Paused')?.['message']).toBe(
      `${sentence}; not as desired: external call address`,
    );
    expect(await records.told()).toBe('waiting');
    await pause(given.memory);
    await given.clock.advance(60_000);
    expect(records.requests()).toEqual([one]);
  });

  it.each([{ irreversible: false }, { irreversible: true }])(
    'are not sent if it is paused just before, with irreversible $irreversible',
    async ({ irreversible }) => {
      let isToPause = false;
      const faults = (cluster: Cluster): Cluster => ({
        ...bound(cluster),
        apply: async (kind, object, options) => {
          const answer = await cluster.apply(kind, object, options);
          if (isToPause && options.subresource === 'status') {
            isToPause = false;
            await pause(given.memory, 'true');
          }
          return answer;
        },
      });
      const records = await givenRecords({ call: { irreversible }, faults });
      given = records.given;
      await records.apply({});
      await given.clock.advance(60_000);
      isToPause = true;
      await records.apply({ address: '1' });
      await given.clock.advance(600_000);
      expect([isToPause, records.requests()]).toEqual([false, []]);
    },
  );

  it('are followed if they were sent before', async () => {
    const records = await givenRecords({ call: { irreversible: true } });
    given = records.given;
    records.service.fate = () => ({ isUnanswered: true });
    await records.apply({ address: '1' });
    await pause(given.memory, 'true');
    await given.clock.advance(600_000);
    expect(records.requests()).toEqual([one]);
    expect(await records.told()).toBe('none');
    expect((await records.find())?.['status'].externalCalls ?? []).toEqual([]);
  });
});
