import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { withWaitNotice } from '../../../cli/cluster/wait-notice.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const origin = 'https://example.com:6443';

it.each([
  { what: 'says nothing of a server that answers', waits: 4_999, says: [] },
  {
    what: 'says whom it waits for',
    waits: 120_000,
    says: [`still waiting for the API server at ${origin}`],
  },
])('a command $what', ({ waits, says }) => {
  const said: string[] = [];
  {
    using _ = withWaitNotice(origin, (text) => said.push(text));
    vi.advanceTimersByTime(waits);
  }
  vi.advanceTimersByTime(120_000);
  expect(said).toEqual(says);
});
