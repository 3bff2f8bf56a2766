import type { RequestListener, ServerResponse } from 'node:http';
import { Agent } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { scraping } from '../../../../operator/engines/metrics/scrape.js';
import type { ScrapeRequest } from '../../../../operator/engines/metrics/scraper.js';
import { systemClock } from '../../../../operator/runtime/ports/clock.js';
import { FakeClock, settled } from '../../fake-clock.js';
import { GivenTellers, telling } from './given-scrapers.js';
import { tellerContract, toldText } from './scraper.contract.js';

const dispatcher = new Agent();
const metrics = new Set(['up']);
const forever = new AbortController().signal;
let given: GivenTellers | undefined;
afterEach(() => given?.close());
afterAll(() => dispatcher.close());

describe('a pod that is asked itself', () => {
  let tellers: GivenTellers;
  beforeAll(async () => {
    tellers = await GivenTellers.at(telling(toldText), (_, response) => response.writeHead(503).end());
  });
  afterAll(() => tellers.close());

  tellerContract(() => ({
    pods: tellers.pods,
    tell: (inquest) => {
      const { pods, port } = tellers;
      return scraping({ dispatcher, clock: systemClock })({ namespace: 'team', pods, port, ...inquest }, forever);
    },
  }));
});

/** The error for such an answer of a Pod. */
async function whyOf(listener: RequestListener): Promise<unknown> {
  given = await GivenTellers.at(listener);
  const { pods, port } = given;
  const told = await scraping({ dispatcher, clock: systemClock })({ namespace: 'team', pods, port, metrics }, forever);
  return told.get('uid-1');
}

describe('a pod is silent', () => {
  test.each<{ why: string; when: string; listener: RequestListener }>([
    {
      why: 'the response has status 302, must be 200',
      when: 'it sends elsewhere',
      listener: (request, response) => {
        const at = request.url === '/metrics' ? '/secret' : undefined;
        if (at) response.writeHead(302, { location: at }).end();
        else response.writeHead(200, { 'content-type': 'text/plain' }).end('up 1\n');
      },
    },
    {
      why: 'the response has content type "text/html", must be text/plain',
      when: 'it is a page',
      listener: telling('up 1\n', 'text/html'),
    },
    {
      why: 'a line is not in the Prometheus text format: "up one"',
      when: 'it tells nonsense',
      listener: telling('up one\n'),
    },
    {
      why: 'a line has more than 65536 characters',
      when: 'a line has no end',
      listener: telling(`up ${'1'.repeat(70_000)}`),
    },
    {
      why: 'the response must have at most 8388608 bytes',
      when: 'it tells without end',
      listener: (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        const more = () => {
          while (!response.destroyed && response.write('# nothing\n'.repeat(10_000)));
        };
        response.on('drain', more);
        more();
      },
    },
    {
      why: 'the Pods polled together must report at most 60000 samples',
      when: 'it tells more than memory is worth',
      listener: telling('up 1\n'.repeat(60_001)),
    },
    {
      why: 'The encoded data was not valid for encoding utf-8',
      when: 'it tells no UTF-8',
      listener: (_, response) =>
        response.writeHead(200, { 'content-type': 'text/plain' }).end(Buffer.from([0xff, 0xfe])),
    },
    {
      why: 'other side closed',
      when: 'it hangs up in the middle',
      listener: (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' });
        response.write('up 1\n', () => response.destroy());
      },
    },
  ])('with "$why" when $when', async ({ why, listener }) => {
    expect(await whyOf(listener)).toEqual({ why });
  });

  test('when nobody is there', async () => {
    given = await GivenTellers.at(telling('up 1\n'));
    const pods = [{ name: 'gone', uid: 'gone', address: '127.0.0.9' }];
    const tell = scraping({ dispatcher, clock: systemClock });
    const told = await tell({ namespace: 'team', pods, port: given.port, metrics }, forever);
    expect(told.get('gone')).toEqual({ why: expect.stringContaining('ECONNREFUSED') });
  });

  test.each<{ when: string; listener: RequestListener }>([
    { when: 'it does not answer', listener: () => {} },
    {
      when: 'it begins to answer and goes on for ever',
      listener: (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' }).write('up 1\n');
      },
    },
  ])('after 3 s when $when, and the others have told', async ({ listener }) => {
    given = await GivenTellers.at(listener, telling('up 1\n'));
    const { pods, port } = given;
    const clock = new FakeClock();
    const asking = scraping({ dispatcher, clock })({ namespace: 'team', pods, port, metrics }, forever);
    while (clock.waiting !== 3) await settled(); // until the other has told, and its deadline is called off
    await clock.advance(3_000);
    const told = await asking;
    expect(told.get('uid-1')).toEqual({ why: 'no answer within 3000 ms' });
    expect(told.get('uid-2')).toMatchObject({ samples: [{ name: 'up', value: 1 }] });
  });
});

test('pods of one question are asked 8 at a time', async () => {
  const waiting: ServerResponse[] = [];
  let most = 0;
  const listener: RequestListener = async (_, response) => {
    most = Math.max(most, waiting.push(response));
    if (waiting.length !== 8) return;
    for (let n = 0; n < 20; n++) await settled(); // time for a ninth
    for (const one of waiting.splice(0)) one.writeHead(200, { 'content-type': 'text/plain' }).end('up 1\n');
  };
  given = await GivenTellers.at(...Array.from({ length: 40 }, () => listener));
  const { pods, port } = given;
  const told = await scraping({ dispatcher, clock: systemClock })({ namespace: 'team', pods, port, metrics }, forever);
  expect([...told.values()].filter((one) => 'samples' in one)).toHaveLength(40);
  expect(most).toBe(8);
});

test('the pods of one question share what is kept of their samples', async () => {
  const listener = telling('up 1\n'.repeat(25_000));
  given = await GivenTellers.at(listener, listener, listener, listener);
  const { pods, port } = given;
  const told = await scraping({ dispatcher, clock: systemClock })({ namespace: 'team', pods, port, metrics }, forever);
  const kept = [...told.values()].map((one) => ('samples' in one ? one.samples.length : 0));
  expect(kept.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(60_000);
  expect([...told.values()]).toContainEqual({ why: expect.stringContaining('at most 60000 samples') });
});

test('what a pod told is told for a second to all who ask for the same', async () => {
  let asked = 0;
  given = await GivenTellers.at(telling(() => `up{service="${++asked > 1 ? 'b' : 'a'}"} ${asked}\n`));
  const { pods, port } = given;
  const clock = new FakeClock();
  const tell = scraping({ dispatcher, clock });
  const ask = async (more: Partial<ScrapeRequest> = {}) => {
    const told = (await tell({ namespace: 'team', pods, port, metrics, ...more }, forever)).get('uid-1');
    return told && 'samples' in told ? told.samples.map(({ value }) => value) : told;
  };
  expect(await Promise.all([ask(), ask(), ask({ services: new Set(['b']) })])).toEqual([[1], [1], []]);
  await clock.advance(999);
  expect(await ask()).toEqual([1]);
  expect(await ask({ metrics: new Set(['up', 'down']) })).toEqual([2]);
  await clock.advance(1);
  expect(await ask({ services: new Set(['b']) })).toEqual([3]);
});

test('pods that wait for their turn are not asked when nobody waits for them', async () => {
  const ending = new AbortController();
  let asked = 0;
  const listener: RequestListener = (_, response) => {
    asked++;
    ending.abort(new Error('enough'));
    response.writeHead(200, { 'content-type': 'text/plain' }).end('up 1\n');
  };
  given = await GivenTellers.at(...Array.from({ length: 20 }, () => listener));
  const { pods, port } = given;
  const tell = scraping({ dispatcher, clock: systemClock });
  await expect(tell({ namespace: 'team', pods, port, metrics }, ending.signal)).rejects.toThrow('enough');
  expect(asked).toBeLessThanOrEqual(8);
});
