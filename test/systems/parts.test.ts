import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { partsOf, type Surroundings } from './parts.js';

let sources: string;
beforeEach(() => {
  sources = mkdtempSync(join(tmpdir(), 'parts-'));
});
afterEach(() => rmSync(sources, { recursive: true, force: true }));

/** Systems `queue` and `cache`, with these files, whose export `part` is their path. */
function given(...files: readonly string[]): Surroundings {
  for (const file of files) {
    mkdirSync(dirname(join(sources, file)), { recursive: true });
    writeFileSync(join(sources, file), '');
  }
  return { names: ['queue', 'cache'], sources, load: async (file) => ({ part: file }) };
}

describe('the parts of systems', () => {
  test('are files with their names, in the order of the systems', async () => {
    const surroundings = given('cases/cache.ts', 'cases/queue.ts');
    expect([...(await partsOf('cases/<system>.ts', 'part', surroundings))]).toEqual([
      ['queue', 'cases/queue.ts'],
      ['cache', 'cases/cache.ts'],
    ]);
  });

  test('are files in folders with their names, beside files of the folder', async () => {
    const surroundings = given('kills/main.ts', 'kills/cache/kills.ts', 'kills/queue/other.ts');
    expect([...(await partsOf('kills/<system>/kills.ts', 'part', surroundings))]).toEqual([
      ['cache', 'kills/cache/kills.ts'],
    ]);
  });

  test.each([
    { place: 'cases/<system>.ts', file: 'cases/queues.ts', got: 'queues' },
    { place: 'cases/<system>.ts', file: 'cases/queue/more.ts', got: 'queue/' },
    { place: 'cases/<system>.ts', file: 'cases/queue.json', got: 'queue.json' },
    { place: 'kills/<system>/kills.ts', file: 'kills/queues/kills.ts', got: 'queues' },
  ] as const)('at $place are not in $file', async ({ place, file, got }) => {
    const surroundings = given('cases/queue.ts', 'kills/queue/kills.ts', file);
    await expect(partsOf(place, 'part', surroundings)).rejects.toThrow(
      `must have names of systems (queue, cache), got ${got}: rename it`,
    );
  });

  test('must export what is looked for', async () => {
    await expect(partsOf('cases/<system>.ts', 'cases', given('cases/queue.ts'))).rejects.toThrow(
      'cases/queue.ts must export `cases`, as the files of other systems do',
    );
  });

  test('need a folder', async () => {
    await expect(partsOf('cases/<system>.ts', 'part', given())).rejects.toThrow('cases');
  });
});
