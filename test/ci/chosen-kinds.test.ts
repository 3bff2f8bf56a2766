import { describe, expect, test } from 'vitest';
import { chosenKinds } from './chosen-kinds.js';

const scripted = { minutes: 1, sources: ['operator/x/'], script: 'failures' };
const kinds = {
  a: { minutes: 10, sources: ['src/a/', 'crds/a'] },
  b: { minutes: 20, sources: ['src/b/'] },
  c: { minutes: 5, sources: ['src/c/'] },
};

describe('tried on real pods', () => {
  test.each([
    { when: 'nothing was changed', changed: [], chosen: [] },
    { when: 'pages were changed', changed: ['docs/a.md', 'README.md'], chosen: [] },
    { when: 'a construct was changed', changed: ['src/a/x.ts'], chosen: ['a'] },
    { when: 'a schema was changed', changed: ['crds/a.ts'], chosen: ['a'] },
    { when: 'two kinds were changed', changed: ['src/c/x.ts', 'src/a/x.ts'], chosen: ['a', 'c'] },
    { when: 'two were changed, on the next day', changed: ['src/c/x.ts', 'src/b/x.ts'], day: 2, chosen: ['c', 'b'] },
    { when: 'a kind and the runtime were changed', changed: ['operator/runtime/x.ts', 'src/b/x.ts'], chosen: ['b'] },
    { when: 'the runtime was changed', changed: ['operator/runtime/x.ts'], chosen: ['a'] },
    { when: 'the runtime was changed, on the next day', changed: ['operator/runtime/x.ts'], day: 1, chosen: ['b'] },
    { when: 'it was, and the one in turn does not fit', changed: ['src/x.ts'], day: 1, minutes: 19, chosen: ['c'] },
    { when: 'not all fit', changed: ['src/a/x.ts', 'src/b/x.ts', 'src/c/x.ts'], minutes: 16, chosen: ['a', 'c'] },
    { when: 'none fits', changed: ['src/b/x.ts'], minutes: 19, chosen: [] },
    { when: 'a script is for what was changed', changed: ['operator/x/y.ts'], chosen: ['a', 'script'] },
    { when: 'that does not fit', changed: ['operator/x/y.ts'], minutes: 10, chosen: ['a'] },
    { when: 'it and a kind are', changed: ['operator/x/y.ts', 'src/b/x.ts'], chosen: ['b', 'script'] },
  ])('when $when: $chosen', ({ changed, day = 0, minutes = 100, chosen }) => {
    expect(chosenKinds({ ...kinds, script: scripted }, { changed, day, minutes }).chosen).toEqual(chosen);
  });

  test('the output names each kind that is left out, with the reason', () => {
    const changed = ['src/a/x.ts', 'src/b/x.ts'];
    expect(chosenKinds(kinds, { changed, day: 0, minutes: 12.5 }).leftOut).toEqual([
      'b: takes 20 minutes, 2 are left',
      'c: its sources were not changed',
    ]);
    expect(chosenKinds(kinds, { changed: ['operator/x.ts'], day: 2, minutes: 100 }).leftOut).toEqual([
      'a: only what all kinds share was changed, and c is tried for it today',
      'b: only what all kinds share was changed, and c is tried for it today',
    ]);
  });
});
