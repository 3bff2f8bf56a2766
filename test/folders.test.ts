import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderCircles, upwardImports } from './folder-rules.js';
import { type Source, writtenSources } from './sources.js';

const sources = writtenSources(join(import.meta.dirname, '..'));

describe('the folders of the product', () => {
  it('have sources', () => {
    expect(sources.length).toBeGreaterThan(100);
  });

  it('import no file of a folder above their own', () => {
    expect(upwardImports(sources)).toEqual([]);
  });

  it('import each other without circles, imports of types included', () => {
    expect(folderCircles(sources)).toEqual([]);
  });
});

/** Files by their path, each with its import, or none. */
type Files = Readonly<Record<string, string>>;

const planted = (files: Files): Source[] =>
  Object.entries(files).map(([path, to]) => ({ path, text: to && `import type { A } from '${to}';` }));

describe('this test', () => {
  it.each<{ broken: string; files: Files }>([
    {
      broken: 'a file imports from the folder above',
      files: { 'src/a/x.ts': '../plain.js', 'src/plain.ts': '' },
    },
    {
      broken: 'a file imports from the folder above that',
      files: { 'src/a/b/x.ts': '../../plain.js', 'src/plain.ts': '' },
    },
    {
      broken: 'a plan imports another file than the view, the situation and the conditions',
      files: { 'operator/controllers/a/plan/x.ts': '../desire.js', 'operator/controllers/a/desire.ts': '' },
    },
    {
      broken: 'a plan imports the view of a folder further up',
      files: { 'operator/controllers/a/b/plan/x.ts': '../../view.js', 'operator/controllers/a/view.ts': '' },
    },
    {
      broken: 'a file of a controller, outside of its plan and its findings, imports the view above',
      files: { 'operator/controllers/a/volumes/x.ts': '../view.js', 'operator/controllers/a/view.ts': '' },
    },
    {
      broken: 'a plan outside of the controllers imports the view above',
      files: { 'cli/a/plan/x.ts': '../view.js', 'cli/a/view.ts': '' },
    },
  ])('fails where $broken', ({ files }) => {
    expect(upwardImports(planted(files))).toHaveLength(1);
  });

  it.each<{ allowed: string; files: Files }>([
    { allowed: 'a file imports from its own folder', files: { 'src/a/x.ts': './y.js', 'src/a/y.ts': '' } },
    { allowed: 'a file imports from a folder below', files: { 'src/x.ts': './a/y.js', 'src/a/y.ts': '' } },
    { allowed: 'a file imports from a folder beside', files: { 'src/a/x.ts': '../a-b/y.js', 'src/a-b/y.ts': '' } },
    ...['view', 'situation', 'conditions'].flatMap((name) =>
      ['plan', 'findings'].map((part) => ({
        allowed: `${part} imports ${name}`,
        files: {
          [`operator/controllers/a/b/${part}/x.ts`]: `../${name}.js`,
          [`operator/controllers/a/b/${name}.ts`]: `./${part}/y.js`,
          [`operator/controllers/a/b/${part}/y.ts`]: '',
        },
      })),
    ),
  ])('allows that $allowed', ({ files }) => {
    expect(upwardImports(planted(files))).toEqual([]);
    expect(folderCircles(planted(files))).toEqual([]);
  });

  it.each<{ broken: string; files: Files }>([
    {
      broken: 'two folders import each other',
      files: { 'src/a/x.ts': '../b/x.js', 'src/b/x.ts': '', 'src/b/y.ts': '../a/y.js', 'src/a/y.ts': '' },
    },
    {
      broken: 'a folder leads back to itself over two others',
      files: {
        ...{ 'cli/a/x.ts': '../b/x.js', 'cli/b/x.ts': '', 'cli/b/y.ts': '../c/x.js', 'cli/c/x.ts': '' },
        ...{ 'cli/c/y.ts': '../a/y.js', 'cli/a/y.ts': '' },
      },
    },
    {
      broken: 'a folder and a folder in it import each other',
      files: { 'crds/a.ts': './a/x.js', 'crds/a/x.ts': '', 'crds/a/y.ts': '../names.js', 'crds/names.ts': '' },
    },
  ])('fails where $broken', ({ files }) => {
    expect(folderCircles(planted(files))).toHaveLength(1);
  });

  it('names the files and says what to do', () => {
    const files = {
      ...{ 'src/a/b/x.ts': '../../plain.js', 'src/plain.ts': '' },
      ...{ 'cli/a/x.ts': '../b/x.js', 'cli/b/x.ts': '', 'cli/b/y.ts': '../a/y.js', 'cli/a/y.ts': '' },
    };
    expect(upwardImports(planted(files))).toEqual([
      'src/a/b/x.ts imports src/plain.ts, which is in a folder above its own: move src/plain.ts into a folder beside src/a',
    ]);
    expect(folderCircles(planted(files))).toEqual([
      'cli/a → cli/b → cli/a is a circle of folders: cli/a/x.ts imports cli/b/x.ts, cli/b/y.ts imports cli/a/y.ts: move what they share into a folder of its own',
    ]);
  });
});
