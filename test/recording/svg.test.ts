import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { svgOf } from './svg.js';

const svg = (...texts: readonly string[]) =>
  svgOf({ command: 'run', lines: texts.map((text, index) => ({ at: index * 5_000, text })) });

describe('a recording', () => {
  test.each([
    ['command', '$ run', 'the command'],
    ['created', '   0.16 s  + Service a  10.96.0.1, port 80', 'an object that was created'],
    ['changed', '  12.00 s  ~ Deployment a  1 of 1 ready', 'an object that changed'],
    ['deleted', '   0.16 s  - Service a', 'an object that was deleted'],
    ['condition', '   0.16 s    Ready=True Ready: Every condition is met', 'a condition'],
    ['note', 'starting a control plane', 'any other line'],
  ])('shows in the color of %s: %s', (color, text) => {
    expect(svg(text)).toMatch(new RegExp(`class="${color}"[^>]*>${text.replace(/[$+.]/g, '\\$&')}</text>`));
  });

  test('escapes the characters of XML', () => {
    expect(svg('a < b & c > d')).toContain('>a &lt; b &amp; c &gt; d</text>');
  });

  test('cuts a long line', () => {
    expect(svg('x'.repeat(500))).toContain(`>${'x'.repeat(117)}…</text>`);
  });

  test('shows a pause of several seconds as one second', () => {
    expect(svg('a', 'b', 'c').match(/animation-delay:[\d.]+s/g)).toEqual(
      ['0.00', '0.00', '1.00', '2.00'].map((delay) => `animation-delay:${delay}s`),
    );
  });
});

describe('the recording of the README', () => {
  const recorded = readFileSync('docs/demo.svg', 'utf8');

  test('is small and has no path of a machine', () => {
    expect(recorded.length).toBeLessThan(60_000);
    expect(recorded.match(/[ >"]\/\w[^<\s]*/g)).toBeNull();
  });

  test('can be read in both themes', () => {
    expect(recorded).toContain('prefers-color-scheme:dark');
  });

  test('shows that the resource is ready, and that both changes were repaired', () => {
    expect(recorded).toMatch(/Ready=True.*spec\.image.*Ready=True.*- Service.*\+ Service/s);
  });

  test('is shown', () => {
    expect(readFileSync('README.md', 'utf8')).toContain('](docs/demo.svg)');
  });
});
