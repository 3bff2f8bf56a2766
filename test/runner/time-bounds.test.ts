import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writtenSources } from '../sources.js';
import { timeBounds, unusedPermissions } from './time-bounds.js';

/** All but this file, which quotes what is forbidden. */
const sources = writtenSources(join(import.meta.dirname, '../..')).filter(
  ({ path }) => path !== 'test/runner/time-bounds.test.ts',
);

it('no test fails because the machine is slow', () => {
  expect(sources.flatMap(timeBounds)).toEqual([]);
});

it('each file with a permission needs it', () => {
  expect(unusedPermissions(sources)).toEqual([]);
});

describe('a test', () => {
  const path = 'test/operator/a.test.ts';
  it.each([
    { does: 'measures', text: 'expect(performance.now() - began).toBeLessThan(20);' },
    { does: 'measures by dates', text: 'expect(Date.now() - began).toBeLessThan(5_000);' },
    { does: 'names what it measures', text: 'const ms = Math.round(performance.now() - began);\nexpect(ms).toBe(1);' },
    { does: 'measures a function', text: 'const took = () => Date.now() - began;\nexpect(took()).toBeLessThan(1);' },
    { does: 'compares beside an expectation', text: 'return { isSoon: Date.now() - began < 20_000 };' },
    { does: 'waits for a second by default', text: 'await vi.waitFor(() => expect(a()).toBe(1));' },
    { does: 'waits for some seconds', text: 'await vi.waitUntil(() => is(a), { timeout: 10_000 });' },
    { does: 'waits for a number', text: 'await vi.waitFor(async () => expect(await a()).toBe(1), 30_000);' },
    { does: 'polls for some seconds', text: 'await expect.poll(a, { timeout: 15_000, interval: 5 }).toBe(1);' },
    { does: 'gives up after some seconds', text: 'await ask({ signal: AbortSignal.timeout(5_000) });' },
  ])('must not be one that $does', ({ text }) => {
    expect(timeBounds({ path, text })).toHaveLength(1);
    expect(timeBounds({ path, text: `// ${text.replaceAll('\n', ' ')}` })).toEqual([]);
    expect(timeBounds({ path: 'test/operator/a.engine.test.ts', text })).toEqual([]);
  });

  it.each([
    { does: 'prints', text: 'console.log(performance.now() - began);' },
    { does: 'needs a moment', text: 'expect(isOver(Date.now() - 60_000)).toBe(true);' },
    { does: 'moves a clock', text: 'await clock.advance(500);\nexpect(ended).toBe(true);' },
    { does: 'waits for two minutes', text: 'await vi.waitFor(() => expect(a(1, 2)).toBe(1), { timeout: 120_000 });' },
    { does: 'waits for a constant', text: 'await vi.waitFor(() => a(), patience);' },
    { does: 'polls as long as the project does', text: 'await expect.poll(() => a(1)).toBe(1);' },
  ])('may be one that $does', ({ text }) => {
    expect(timeBounds({ path, text })).toEqual([]);
  });
});
