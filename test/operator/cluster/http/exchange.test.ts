import type { Dispatcher } from 'undici';
import { expect, it } from 'vitest';
import { exchange } from '../../../../operator/cluster/http/exchange.js';

const options = { path: '/', method: 'GET' } as const;
const patience = { signal: undefined, within: 5_000, most: 100 };

/** A dispatcher that answers each request with these chunks, and tells of what its handler throws, as the library does. */
function answering(...chunks: readonly Buffer[]): { dispatcher: Dispatcher; aborted: string[] } {
  const aborted: string[] = [];
  const controller = { abort: (why: Error) => aborted.push(why.message) } as object as Dispatcher.DispatchController;
  const dispatch = (_: object, handler: Dispatcher.DispatchHandler): boolean => {
    try {
      handler.onRequestStart?.(controller, {});
      handler.onResponseStart?.(controller, 200, {}, 'OK');
      for (const chunk of chunks) handler.onResponseData?.(controller, chunk);
      handler.onResponseEnd?.(controller, {});
    } catch (error) {
      handler.onResponseError?.(controller, error as Error);
    }
    return true;
  };
  return { dispatcher: { dispatch } as object as Dispatcher, aborted };
}

it('R2 an invalid request fails at once', async () => {
  const tooLong = Object.assign(Buffer.from('x'), {
    toString: () => {
      throw new Error('no text may be so long');
    },
  });
  await expect(exchange(answering(tooLong).dispatcher, options, patience)).rejects.toThrow('no text may be so long');
});

it.each([
  { text: 'xx', when: 'as much comes as is taken in', bytes: [50, 50], ended: [] },
  { text: undefined, when: 'more comes', bytes: [50, 51], ended: ['the response exceeds the limit'] },
])('R2 an answer has a text of $text when $when', async ({ text, bytes, ended }) => {
  const { dispatcher, aborted } = answering(...bytes.map((length) => Buffer.alloc(length, 'x')));
  const answer = await exchange(dispatcher, options, patience);
  expect(answer).toEqual({ statusCode: 200, headers: {}, text: text && 'x'.repeat(100) });
  expect(aborted).toEqual(ended);
});
