import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemNames } from '../systems/parts.js';
import { hasSource, triedKinds } from './tried-kinds.js';

describe('the kinds that .ci/run can test', () => {
  const own = triedKinds();

  test('are every folder with tests on real pods, of the programs of an image, or of a real engine, and a few scripts', () => {
    const folders = (parent: string, ending: string) =>
      readdirSync(parent, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith(ending))
        .map((path) => dirname(path));
    const all = new Set([
      ...folders('test/e2e', '.e2e.ts'),
      ...folders('test/images', '.engine.test.ts').map((folder) => `${folder}-image`),
      ...folders('test/operator/engines', '.engine.test.ts').map((folder) => `${folder}-engine`),
      ...readdirSync('test/ci/entries').map((file) => file.replace('.json', '')),
    ]);
    expect(Object.keys(own)).toEqual([...all].toSorted());
  });

  test('run npm scripts', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const names = Object.values(own).flatMap(({ script }) => script?.split(' ')[0] ?? []);
    expect(names.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  test.each(systemNames)('have an entry for the system on real pods, in test/e2e/<system>/entry.json: %s', (name) => {
    expect(own[name]).toMatchObject({ sources: expect.arrayContaining([`test/e2e/${name}/`]) });
    expect(own[name]?.script).toBe(undefined);
  });

  test('name sources that are there', () => {
    expect(Object.values(own).flatMap(({ sources }) => sources.filter((source) => !hasSource('.', source)))).toEqual(
      [],
    );
  });

  test('name every folder of a kind', () => {
    const folders = ['operator/controllers', 'src'].flatMap((parent) =>
      readdirSync(parent, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${parent}/${name}/`),
    );
    const sources = Object.values(own).flatMap((kind) => kind.sources);
    const ofNoKind = ['src/manifest/', 'src/rbac/', 'src/validation/', 'src/workload/'];
    expect(folders.filter((folder) => !sources.includes(folder))).toEqual(ofNoKind);
  });
});

describe('an entry', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'entries-'));
    for (const folder of ['test/ci/entries', 'test/e2e', 'test/images', 'test/operator/engines', 'crds'])
      mkdirSync(join(root, folder), { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  /** The kinds of a project with these files, each with its content. */
  function kindsOf(files: Readonly<Record<string, object>>) {
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), JSON.stringify(content));
    }
    return triedKinds(root);
  }

  test('has the sources with the name of its system, as far as they exist, and more that it states', () => {
    const files = {
      ...{ 'crds/queue-user.ts': {}, 'src/queue/queue.ts': {}, 'operator/engines/cache/index.ts': {} },
      'test/e2e/queue/entry.json': { minutes: 5, sources: ['operator/members/'] },
    };
    expect(kindsOf(files)).toEqual({
      queue: { minutes: 5, sources: ['crds/queue', 'operator/members/', 'src/queue/', 'test/e2e/queue/'] },
    });
  });

  test('has the script of its folder, or states one', () => {
    const files = {
      'test/images/queue/entry.json': { minutes: 1 },
      'test/operator/engines/queue/entry.json': { minutes: 2 },
      'test/ci/entries/pages.json': { minutes: 3, script: 'pages', sources: ['docs/'] },
    };
    expect(kindsOf(files)).toEqual({
      pages: { minutes: 3, script: 'pages', sources: ['docs/'] },
      'queue-engine': {
        ...{ minutes: 2, script: 'engines -- test/operator/engines/queue' },
        sources: ['test/operator/engines/queue/'],
      },
      'queue-image': { minutes: 1, script: 'engines -- test/images/queue', sources: ['test/images/queue/'] },
    });
  });

  test.each([
    { file: 'test/e2e/queue/entry.json', is: {}, says: 'minutes must be a number above 0, got undefined' },
    { file: 'test/e2e/queue/entry.json', is: { minutes: 1, source: [] }, says: 'source must be one of minutes' },
    { file: 'test/e2e/queue/entry.json', is: { minutes: 1, script: 'pages' }, says: 'script must be absent' },
    { file: 'test/ci/entries/pages.json', is: { minutes: 1 }, says: 'script must be an npm script, got none' },
  ])('is refused: $file: $says', ({ file, is, says }) => {
    expect(() => kindsOf({ [file]: is })).toThrow(`${file}: ${says}`);
  });
});
