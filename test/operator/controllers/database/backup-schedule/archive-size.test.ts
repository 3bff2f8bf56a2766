import { expect, test } from 'vitest';
import { givenDatabase } from '../../database-backup/given-backup.js';
import { factsAbout, requestedSize } from './given-backups.js';

const volume = (size?: string) => ({ backup: { target: { volume: size === undefined ? {} : { size } } } });

test.each<{ is: string; when: string; spec: object; request: string; capacity: string }>([
  {
    is: '3Gi',
    when: 'storage.size was taken back, and the archive had grown by the default',
    spec: { storage: { size: '512Mi' }, ...volume() },
    ...{ request: '3Gi', capacity: '3Gi' },
  },
  {
    is: '6Gi',
    when: 'storage.size grows',
    spec: { storage: { size: '2Gi' }, ...volume() },
    ...{ request: '3Gi', capacity: '3Gi' },
  },
  {
    is: '2Gi',
    when: 'an expansion that has not come is taken back',
    spec: volume('2Gi'),
    ...{ request: '100Gi', capacity: '1Gi' },
  },
  { is: '3Gi', when: 'less is stated than there is', spec: volume('1Gi'), ...{ request: '3Gi', capacity: '3Gi' } },
])('the archive requests $is if $when', ({ is, spec, ...sizes }) => {
  expect(requestedSize(factsAbout(givenDatabase(spec), { sizes }))).toBe(is);
});
