import type { Construct } from 'constructs';
import { Construct as Group } from 'constructs';
import { describe, expect, test } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { defineController } from '../../../../operator/runtime/controller/define-controller.js';
import type { Facts } from '../../../../operator/runtime/controller/facts.js';
import { ExternalCall } from '../../../../operator/runtime/rendering/external-call.js';
import { renderAll } from '../../../../operator/runtime/rendering/render.js';
import { factsOf } from '../../../../operator/testing/index.js';
import { dns, record, recordController, recordKind } from '../given/records.js';
import { widgetKind } from '../given/widgets.js';

const facts = factsOf(record('web', { address: '1' })) as unknown as Facts;
const rendering = (desire: (scope: Construct) => void, changes: Partial<Controller> = {}) =>
  renderAll({ ...recordController(), ...changes, desire }, facts);
const props = { port: dns, request: { name: 'web', address: '1' }, refreshes: ['found'] };

describe('calls', () => {
  test('are rendered in their order, by their path, and reach no manifest', () => {
    const { calls, desired } = rendering((scope) => {
      new ExternalCall(scope, 'b', props);
      new ExternalCall(new Group(scope, 'group'), 'a', { ...props, after: ['b', 'unknown'] });
    });
    expect(calls.map(({ name }) => name)).toEqual(['b', 'group/a']);
    expect(calls.map(({ after }) => after)).toEqual([[], ['b']]);
    expect(desired).toEqual([]);
  });

  test('have equal hashes for equal requests only', () => {
    const hashes = (...names: string[]) =>
      rendering((scope) => {
        for (const [index, name] of names.entries())
          new ExternalCall(scope, String(index), { ...props, request: { name } });
      }).calls.map(({ hash }) => hash);
    const [one, same, other] = hashes('a', 'a', 'b');
    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });

  test.each([
    { visibleWithin: 30_000, port: dns },
    { visibleWithin: 0, port: { ...dns, visibleWithin: 0 } },
    { visibleWithin: 90_000, port: { ...dns, visibleWithin: 90_000 } },
  ])('show their effect within $visibleWithin ms, as their port declares', ({ visibleWithin, port }) => {
    const render = (scope: Construct) => void new ExternalCall(scope, 'x', { ...props, port });
    expect(rendering(render, { calls: [port] }).calls).toMatchObject([{ visibleWithin }]);
  });

  test('have a text for logs without the fields that the port does not log', () => {
    const port = { ...dns, unlogged: ['address'] };
    const { calls } = rendering((scope) => {
      new ExternalCall(scope, 'one', { ...props, port });
      new ExternalCall(scope, 'other', { ...props, port, request: { name: 'web', address: '2' } });
      new ExternalCall(scope, 'whole', props);
    });
    expect(calls.map(({ logged }) => logged)).toEqual([
      '{"name":"web"}',
      '{"name":"web"}',
      '{"name":"web","address":"1"}',
    ]);
    expect(calls[0]?.request).toEqual(props.request);
    expect(calls[0]?.hash).not.toBe(calls[1]?.hash);
  });

  test.each<{ saying: string; changed: object; controller?: Partial<Controller> }>([
    {
      saying: 'call x of controller namerecord uses port mail, which it does not declare: add it to calls',
      changed: { port: { name: 'mail' } },
    },
    {
      saying: 'call x of controller namerecord refreshes no poll: name one that shows its effect in refreshes',
      changed: { refreshes: [] },
    },
    {
      saying: 'call x of controller namerecord refreshes other, which is no poll: declare it in polls',
      changed: { refreshes: ['other'] },
    },
    { saying: 'call x of controller namerecord has a request that is no JSON', changed: { request: undefined } },
    { saying: 'call x of controller namerecord waits for itself', changed: { after: ['x'] } },
    {
      saying:
        'call x of controller namerecord sets visibleWithin, which a process that renders no call could not know: set it on port dns',
      changed: { visibleWithin: 60_000 },
    },
    {
      saying:
        'call x of controller namerecord uses port dns with visibleWithin 60000, but calls has it with 30000: use one port',
      changed: { port: { ...dns, visibleWithin: 60_000 } },
    },
    {
      saying:
        'call x of controller namerecord is irreversible, but the status of Widget has no externalCalls: add it to its schema',
      changed: { irreversible: true },
      controller: { kind: widgetKind },
    },
    {
      saying:
        'call x of controller namerecord is irreversible, so its request must have none of the unlogged fields of port dns',
      changed: { irreversible: true, port: { ...dns, unlogged: ['address'] } },
    },
  ])('are refused with "$saying"', ({ saying, changed, controller }) => {
    const render = () => rendering((scope) => void new ExternalCall(scope, 'x', { ...props, ...changed }), controller);
    expect(render).toThrow(saying);
  });
});

test('a controller that calls and polls nothing is refused', () => {
  const declare = () =>
    defineController({
      kind: recordKind,
      owns: [],
      calls: [dns],
      conditions: {},
      desire: () => {},
      assess: () => ({ conditions: {} }),
    });
  expect(declare).toThrow('controller namerecord: calls need polls that show their effects: declare polls');
});

test.each([-1, 3_600_001, Number.POSITIVE_INFINITY, Number.NaN])(
  'R39 a port that shows effects within %s ms is refused',
  (visibleWithin) => {
    expect(() => recordController({ visibleWithin })).toThrow(
      `controller namerecord: port dns: visibleWithin: Invalid value: ${visibleWithin}: must be milliseconds from 0 to 3600000`,
    );
  },
);

test('R33 a controller that calls may read its resources, even if it cleans up nothing', () => {
  const [first] = recordController({}, false).rbacRules;
  expect(first?.verbs).toEqual(['list', 'watch', 'get']);
});
