import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askingPrometheus } from '../../../../operator/engines/metrics/prometheus.js';
import type { ScrapeRequest } from '../../../../operator/engines/metrics/scraper.js';
import { findPrometheus, startPrometheus } from './given-prometheus.js';
import { GivenTellers, telling } from './given-scrapers.js';
import { tellerContract, toldText } from './scraper.contract.js';

const found = await findPrometheus();
if ('absent' in found) console.warn(`the tests with a real Prometheus are skipped: ${found.absent}`);

describe.skipIf('absent' in found)('a pod that a real Prometheus has scraped', () => {
  const dispatcher = new Agent();
  let tellers: GivenTellers;
  let prometheus: Awaited<ReturnType<typeof startPrometheus>>;
  let count = 1;
  const ask = (inquest: Pick<ScrapeRequest, 'metrics' | 'services'>) => {
    const { pods, port } = tellers;
    const tell = askingPrometheus(async () => ({ url: prometheus.url, dispatcher, headers: {} }));
    return tell({ namespace: 'team', pods, port, ...inquest }, new AbortController().signal);
  };
  const counted = async () => {
    const told = await ask({ metrics: new Set(['growing_total']) }).catch(() => new Map());
    return told.get('uid-1')?.samples?.[0]?.value;
  };

  beforeAll(async () => {
    if ('absent' in found) return;
    const text = () => `${toldText}growing_total ${count}\n`;
    tellers = await GivenTellers.at(telling(text), (_, response) => response.writeHead(503).end());
    prometheus = await startPrometheus(found.program, { ...tellers, namespace: 'team' });
    while ((await counted()) === undefined) await sleep(100);
  });
  afterAll(async () => {
    await prometheus?.stop();
    await tellers?.close();
    await dispatcher.close();
  });

  tellerContract(() => ({ pods: tellers.pods, tell: ask }));

  test('is told as it was scraped last, not as a rate', async () => {
    count = 1_000_000;
    while ((await counted()) === 1) await sleep(100);
    expect(await counted()).toBe(1_000_000);
  });
});
