import { describe, expect, test } from 'vitest';
import { sampleIn } from '../../../../operator/engines/metrics/exposition.js';

describe('a line of the Prometheus text format', () => {
  test.each<[line: string, name: string, labels: Readonly<Record<string, string>>, value: number]>([
    ['up 1', 'up', {}, 1],
    ['up{} 1', 'up', {}, 1],
    ['up\t1 1700000000000', 'up', {}, 1],
    ['up 1 ', 'up', {}, 1],
    ['up 1\r', 'up', {}, 1],
    ['a:b_total{code="200"} 3', 'a:b_total', { code: '200' }, 3],
    ['a{code="200",le="+Inf"} 3', 'a', { code: '200', le: '+Inf' }, 3],
    ['a{ code = "200" , le = "0.1" , } 3', 'a', { code: '200', le: '0.1' }, 3],
    ['a{x="\\"}\\\\ \\n,y=\\"1"} 3', 'a', { x: '"}\\ \n,y="1' }, 3],
    ['a{x="} 1"} 2', 'a', { x: '} 1' }, 2],
    ['a{__proto__="x"} 2', 'a', { ['__proto__']: 'x' }, 2],
    ['a 1.5e+03', 'a', {}, 1500],
    ['a .5', 'a', {}, 0.5],
    ['a 5.', 'a', {}, 5],
    ['a +5.e1', 'a', {}, 50],
    ['a -0', 'a', {}, -0],
    ['a NaN', 'a', {}, Number.NaN],
    ['a +Inf', 'a', {}, Number.POSITIVE_INFINITY],
    ['a -Inf', 'a', {}, Number.NEGATIVE_INFINITY],
  ])('%s is %s with %o and %d', (line, name, labels, value) => {
    const sample = sampleIn(line);
    expect(sample).toEqual({ name, labels: new Map(Object.entries(labels)), value });
  });

  test.each(['', '  ', '# HELP up whether it is up', '# TYPE up gauge', '#'])('is none when it is %j', (line) => {
    expect(sampleIn(line)).toBeUndefined();
  });

  test.each([
    'up',
    'up ',
    'up one',
    'up 0x10',
    'up 0x1p4',
    'up 1_000',
    'up .',
    'up 1.5.',
    'up e1',
    'up 1e',
    'up +NaN',
    'up constructor',
    'up 1 2 3',
    'up 1 now',
    '1up 1',
    'u p 1',
    'up{ 1',
    'up{code="200" 1',
    'up{code=200} 1',
    'up{code="200} 1',
    'up{code="200"le="1"} 1',
    'up{code="200",,le="1"} 1',
    'up{,} 1',
    'up{code="200",code="500"} 1',
    'up{code} 1',
    '<html>up 1</html>',
  ])('is refused when it is %j', (line) => {
    expect(() => sampleIn(line)).toThrow('is not in the Prometheus text format');
  });

  test('is quoted in part alone when it is refused', () => {
    const secret = `${'x'.repeat(40)}secret`;
    expect(() => sampleIn(secret)).toThrow(/^(?!.*secret)/);
  });

  test.each([
    ['blanks', `up${' '.repeat(200_000)}x`],
    ['digits', `up ${'1'.repeat(200_000)}x`],
    ['quotes', `up{a="${'\\"'.repeat(100_000)}`],
    ['braces', `up{${'}'.repeat(200_000)}`],
  ])(
    'R34 is refused, soon, however many %s it has',
    (_, line) => {
      expect(() => sampleIn(line)).toThrow('is not in the Prometheus text format');
    },
    20_000,
  );

  test('R34 has at most 64 labels: each of them is kept', () => {
    const labelled = (count: number) => `up{${Array.from({ length: count }, (_, n) => `l${n}="x"`).join(',')}} 1`;
    expect(sampleIn(labelled(64))?.labels.size).toBe(64);
    expect(() => sampleIn(labelled(65))).toThrow('a line has more than 64 labels');
  });
});
