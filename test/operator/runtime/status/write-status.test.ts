import { describe, expect, it } from 'vitest';
import type { CustomResource, RuntimeStatus } from '../../../../operator/runtime/controller/custom-resource.js';
import { statusToWrite } from '../../../../operator/runtime/status/write-status.js';
import { live } from '../../../given.js';
import { widget, widgetController, widgetKind } from '../given/widgets.js';

const controller = widgetController();
const early = new Date('2030-01-01T00:00:00.900Z');
const late = new Date('2030-02-02T00:00:00Z');
const ready = { type: 'Ready', status: 'True', reason: 'Ready', message: 'so' } as const;
const sized = { type: 'Sized', status: 'True', reason: 'Fits', message: 'so' } as const;

const resourceWith = (status: object | undefined, generation = 1): CustomResource =>
  live({ ...widget('web'), status }, { generation });

const written = (
  resource: CustomResource,
  own: object = { size: 1 },
  found: (typeof ready | typeof sized)[] = [ready],
  now = late,
) => statusToWrite(controller, resource, { found, own, now });

describe('a status', () => {
  const first = written(resourceWith(undefined), { size: 1 }, [ready], early) as RuntimeStatus;

  it('R24 says everything the first time', () => {
    expect(first).toEqual({
      size: 1,
      retryCount: 0,
      observedGeneration: 1,
      lastReconciled: '2030-01-01T00:00:00Z',
      conditions: [{ ...ready, lastTransitionTime: '2030-01-01T00:00:00Z', observedGeneration: 1 }],
    });
  });

  it('R24 is written where a record of ours says more than it should, and not for what is empty and was left out', () => {
    const own = { size: 1, note: { a: 1 } };
    const noted = (note: object) => resourceWith({ ...first, note });
    expect([written(noted({ a: 1 }), own), written(noted({ a: 1, b: 1 }), own)]).toEqual([
      undefined,
      expect.objectContaining(own),
    ]);
    expect(written(resourceWith(first), { size: 1, note: {} })).toBeUndefined();
  });

  it.each([
    { writes: false, when: 'nothing changed', status: first },
    {
      writes: false,
      when: "somebody else's condition is there too",
      status: { ...first, conditions: [...(first.conditions ?? []), { ...ready, type: 'Theirs' }] },
    },
    { writes: false, when: "somebody else's field is there too", status: { ...first, theirs: 1 } },
    { writes: true, when: 'a field of ours says something else', status: { ...first, size: 2 } },
    { writes: true, when: 'a field of ours is over', status: { ...first, note: 'old' } },
    {
      writes: true,
      when: 'a condition of ours is over',
      status: { ...first, conditions: [...(first.conditions ?? []), { ...ready, type: 'Sized' }] },
    },
    {
      writes: true,
      when: 'a condition of the runtime is over',
      status: { ...first, conditions: [...(first.conditions ?? []), { ...ready, type: 'Stalled' }] },
    },
    { writes: true, when: 'failures are over', status: { ...first, retryCount: 2 } },
    { writes: true, when: 'it is of an older generation', status: first, generation: 2 },
  ] as { writes: boolean; when: string; status: object; generation?: number }[])(
    'R24 is written: $writes, when $when',
    ({ writes, status, generation }) => {
      expect(written(resourceWith(status, generation)) !== undefined).toBe(writes);
    },
  );

  it('R24 is not written for a field that is left undefined', () => {
    expect(written(resourceWith(first), { size: 1, note: undefined })).toBeUndefined();
  });

  it('lastReconciled moves only when something else does', () => {
    expect(written(resourceWith({ ...first, size: 2 }))).toMatchObject({ lastReconciled: '2030-02-02T00:00:00Z' });
    expect(written(resourceWith(first))).toBeUndefined();
  });

  it('has only fields that the schema of the kind has', () => {
    const plain = widgetController({ kind: { ...widgetKind, statusFields: ['conditions', 'observedGeneration'] } });
    const status = statusToWrite(plain, resourceWith(undefined), { found: [ready], own: {}, now: early });
    expect(Object.keys(status ?? {})).toEqual(['observedGeneration', 'conditions']);
  });
});
