import { expect, test } from 'vitest';
import { actionFor, alarmsIn, plainAction } from '../../../cli/reasons/vocabulary.js';

const vocabulary = {
  conditions: {
    Served: { Serving: ['True', 'It serves'], Down: ['False', 'It does not', 'Start it.'] },
    Unsafe: { Lost: ['True', 'A row is lost', 'Restore it.'] },
  },
  rejections: { Taken: 'Set another name.' },
} as const;

test.each([
  ['of the kind', { type: 'Served', reason: 'Down' }, 'Start it.'],
  ['about a rejected spec', { type: 'Accepted', reason: 'Taken' }, 'Set another name.'],
  ['of the runtime', { type: 'FieldsConflicted', reason: 'WriteLoop' }, 'Find the client that deletes'],
  ['about a spec that the runtime rejects', { type: 'Accepted', reason: 'Invalid' }, 'Fix the fields'],
])('there is an action for a reason %s', (_, reported, action) => {
  expect(actionFor(reported, vocabulary)).toContain(action);
});

test('there is none for what is good, and for what nobody declares', () => {
  expect(actionFor({ type: 'Served', reason: 'Serving' }, vocabulary)).toBeUndefined();
  expect(actionFor({ type: 'Other', reason: 'Down' }, vocabulary)).toBeUndefined();
});

test('conditions that are only there while something is wrong are known as such', () => {
  const alarms = alarmsIn(vocabulary);
  expect(alarms.has('Unsafe') && alarms.has('PruningHeld') && alarms.has('Blocked')).toBe(true);
  expect(alarms.has('Served') || alarms.has('Accepted') || alarms.has('Ready')).toBe(false);
});

test('an action has the target of its links on a terminal', () => {
  expect(plainAction('Set `size`. **Do not** delete: see [Lost](docs/lost.md#a).')).toBe(
    'Set size. Do not delete: see Lost (docs/lost.md#a).',
  );
});
