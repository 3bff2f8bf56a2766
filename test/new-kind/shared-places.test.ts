import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addedFiles, withInsertion } from './copy.js';
import { insertions } from './shared-places.js';

const sharedPlaces = [...new Set(insertions.map(({ file }) => file))];

describe('a new kind', () => {
  it('touches the shared files that CONTRIBUTING.md lists, which are at most eight', () => {
    const guide = readFileSync('CONTRIBUTING.md', 'utf8');
    const [, section = ''] = /^## Add a kind to this package$([\s\S]*?)^### /m.exec(guide) ?? [];
    const listed = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, file]) => file);
    expect(listed).toEqual(sharedPlaces);
    expect(listed.length).toBeLessThanOrEqual(8);
  });

  it('adds files that bear the name of its system, and no others', () => {
    const isNamed = (path: string) => path.split('/').some((part) => part.split('.')[0] === 'lamp');
    expect(addedFiles().filter((path) => !isNamed(path))).toEqual([]);
  });

  it.each(insertions)('finds the place of its line in $file, after: $after', (insertion) => {
    expect(withInsertion(readFileSync(insertion.file, 'utf8'), insertion)).toContain(`${insertion.line}\n`);
  });

  it('is refused a place that is not there exactly once', () => {
    const insertion = { file: 'a.ts', after: 'b', line: 'c' };
    expect(() => withInsertion('a\n', insertion)).toThrow('a.ts must have one line that starts with b, got 0');
    expect(() => withInsertion('b\nb2\n', insertion)).toThrow('got 2');
    expect(withInsertion('a\nb2\nd\n', insertion)).toBe('a\nb2\nc\nd\n');
  });
});
