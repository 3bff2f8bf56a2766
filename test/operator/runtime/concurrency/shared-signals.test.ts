import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { SharedLinks } from '../../../../operator/runtime/concurrency/abort-signals.js';

function given() {
  const [pass, term] = [new AbortController(), new AbortController()];
  const links = new SharedLinks();
  const listeners = () => [pass, term].map(({ signal }) => getEventListeners(signal, 'abort').length);
  return { pass, term, listeners, take: () => links.take(pass.signal, term.signal), links };
}

describe('a link that many share', () => {
  it('is one, and listens once to each of its sources', () => {
    const { take, listeners } = given();
    const [first, second] = [take(), take()];
    expect(second.signal).toBe(first.signal);
    expect(listeners()).toEqual([1, 1]);
  });

  it.each(['pass', 'term'] as const)('aborts for all with its %s', (which) => {
    const { take, ...sources } = given();
    const links = [take(), take()];
    sources[which].abort(new Error('over'));
    for (const { signal } of links) expect(signal.reason).toEqual(new Error('over'));
  });

  it('aborts for one after another has let go of it', () => {
    const { take, term } = given();
    const [first, second] = [take(), take()];
    first.release();
    term.abort(new Error('over'));
    expect(second.signal.aborted).toBe(true);
  });

  it('leaves nothing behind after the last one, and is made anew for the next', () => {
    const { take, listeners } = given();
    const [first, second] = [take(), take()];
    first.release();
    second.release();
    expect(listeners()).toEqual([0, 0]);
    const third = take();
    expect(third.signal).not.toBe(first.signal);
    expect(listeners()).toEqual([1, 1]);
  });

  it('is another one in the next term, while the old one is still waited for', () => {
    const { take, links, pass, listeners, term } = given();
    const old = take();
    const next = new AbortController();
    const fresh = links.take(pass.signal, next.signal);
    old.release();
    term.abort();
    expect(fresh.signal.aborted).toBe(false);
    next.abort(new Error('over'));
    expect(links.take(pass.signal, next.signal).signal).toBe(fresh.signal);
    expect(fresh.signal.reason).toEqual(new Error('over'));
    expect(listeners()).toEqual([1, 0]);
  });

  it('is borne by as many as there are writes in a wave, without a warning', async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on('warning', warn);
    const { take } = given();
    for (let writes = 0; writes < 50; writes++) take().signal.addEventListener('abort', () => {});
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', warn);
    expect(warnings).toEqual([]);
  });
});
