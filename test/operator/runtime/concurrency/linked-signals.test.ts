import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { linked } from '../../../../operator/runtime/concurrency/abort-signals.js';

describe('a linked signal', () => {
  it.each([
    { when: 'its first source does', at: 0 },
    { when: 'its second source does', at: 1 },
  ])('aborts with the reason of its source when $when', ({ at }) => {
    const sources = [new AbortController(), new AbortController()];
    const { signal } = linked(...sources.map((source) => source.signal));
    expect(signal.aborted).toBe(false);
    sources[at]?.abort('enough');
    expect(signal.reason).toBe('enough');
  });

  it('is aborted from the start when a source is', () => {
    expect(linked(undefined, AbortSignal.abort('over')).signal.reason).toBe('over');
  });

  it('aborts only itself', () => {
    const source = new AbortController();
    const { signal, abort } = linked(source.signal);
    abort('late');
    expect(signal.reason).toBe('late');
    expect(source.signal.aborted).toBe(false);
  });

  it('is shared by as many as like, without a warning of a leak', async () => {
    const warnings: Error[] = [];
    const hear = (warning: Error) => warnings.push(warning);
    process.on('warning', hear);
    const { signal } = new AbortController();
    const first = linked(signal).signal;
    for (let n = 0; n < 20; n++) linked(signal, first);
    await new Promise(setImmediate);
    process.off('warning', hear);
    expect(warnings).toEqual([]);
  });

  it('leaves nothing behind on a source that lives on', () => {
    const { signal } = new AbortController();
    for (let n = 0; n < 100; n++) linked(signal).release();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(Object.getOwnPropertySymbols(signal).map(String)).not.toContain('Symbol(kDependantSignals)');
  });
});
