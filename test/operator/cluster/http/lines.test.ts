import { describe, expect, it } from 'vitest';
import { Lines } from '../../../../operator/cluster/http/lines.js';

function linesIn(chunks: readonly (string | Buffer)[]): string[] {
  const lines = new Lines('GET /watched');
  return chunks.flatMap((chunk) => [...lines.endedBy([Buffer.from(chunk)])]);
}

const [first, second] = [Buffer.from('é\n').subarray(0, 1), Buffer.from('é\n').subarray(1)];

describe('the lines of a stream', () => {
  it.each([
    { lines: ['a', 'b'], when: 'they come at once', chunks: ['a\nb\n'] },
    { lines: ['abc'], when: 'one comes in pieces', chunks: ['a', 'b', 'c\n'] },
    { lines: ['ab', 'cd'], when: 'pieces cross', chunks: ['a', 'b\nc', 'd\n'] },
    { lines: ['é'], when: 'a character comes in two pieces', chunks: [first, second] },
    { lines: ['', 'a'], when: 'one is empty', chunks: ['\na\n'] },
    { lines: ['a'], when: 'the last one breaks off', chunks: ['a\n{"type":'] },
    { lines: [], when: 'nothing comes', chunks: [] },
  ] as { lines: string[]; when: string; chunks: (string | Buffer)[] }[])(
    'are $lines when $when',
    ({ lines, chunks }) => {
      expect(linesIn(chunks)).toEqual(lines);
    },
  );

  it('may end in different pieces that came together', () => {
    const lines = new Lines('GET /watched');
    expect([
      ...lines.endedBy([Buffer.from('a\nb'), Buffer.from('c\nd')]),
      ...lines.endedBy([Buffer.from('\n')]),
    ]).toEqual(['a', 'bc', 'd']);
  });

  it('may be as long as they like', () => {
    const [line] = linesIn([...Array.from({ length: 1_000 }, () => 'x'.repeat(1_000)), '\n']);
    expect(line).toHaveLength(1_000_000);
  });

  it('R9 R34 are not waited for beyond what any object has', () => {
    const lines = new Lines('GET /watched');
    const piece = Buffer.alloc(1024 ** 2, 'x');
    const taken = (pieces: number) => [...lines.endedBy(Array.from({ length: pieces }, () => piece))];
    expect(taken(31)).toEqual([]);
    expect([...lines.endedBy([Buffer.from('\n')])]).toHaveLength(1);
    expect(taken(32)).toEqual([]); // it counts anew
    expect(() => taken(1)).toThrow('GET /watched: response is larger than 33554432 bytes');
  });
});
