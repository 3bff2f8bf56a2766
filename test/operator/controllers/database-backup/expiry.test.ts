import { expect, test } from 'vitest';
import { assess } from '../../../../operator/controllers/database-backup/assess.js';
import { givenBackup, givenDatabase } from './given-backup.js';
import { elsewhere, factsAbout, keeping, later, leaving, made, type World } from './given-facts.js';

const byHand = { ...made, finished: '2026-11-21T12:00:00Z' };
test.each<{ is: string | undefined; when: string; backup?: Parameters<typeof givenBackup>[1]; world?: World }>([
  { is: '2026-11-28T03:00:00Z', when: 'the schedule makes six later ones' },
  {
    ...{ is: '2026-11-28T03:00:00Z', when: 'the first of them is there' },
    world: { siblings: [givenBackup('b', { status: later })] },
  },
  {
    ...{ is: '2026-11-27T03:00:00Z', when: 'somebody has made one besides' },
    world: { siblings: [givenBackup('b', { status: byHand })] },
  },
  { is: '2026-11-22T03:00:00Z', when: 'one is kept', world: { database: keeping(1) } },
  {
    ...{ is: undefined, when: 'as many later ones as are kept are there' },
    world: { database: keeping(1), siblings: [givenBackup('b', { status: later })] },
  },
  { is: undefined, when: 'it is not made', backup: { status: {} } },
  { is: undefined, when: 'it has left the archive', backup: { status: { ...made, state: 'Expired' } } },
  { is: undefined, when: 'it is elsewhere', backup: { status: { ...made, archive: elsewhere } } },
  { is: undefined, when: 'it is no full one', backup: { status: made, spec: { type: 'Incremental' } } },
  { is: undefined, when: 'its Database is gone', world: { database: undefined } },
  {
    ...{ is: undefined, when: 'its Database is being deleted, whose archive stays' },
    world: { database: givenDatabase({}, { meta: leaving }) },
  },
  {
    ...{ is: undefined, when: 'the schedule never comes' },
    world: { database: givenDatabase({ backup: { schedule: '0 0 30 2 *', target: { volume: {} } } }) },
  },
])('line 6: leaves the archive at $is, as far as can be foreseen, when $when', ({ is, backup, world }) => {
  const { status } = assess(factsAbout(givenBackup('nightly', { status: made, ...backup }), world));
  expect(status?.expires).toBe(is);
});
