import { afterEach, expect, it } from 'vitest';
import { defaults } from '../../operator/config.js';
import { type Pages, servePages } from '../../operator/pages.js';
import type { Listening } from '../../operator/telemetry/server.js';
import { freePort } from '../../operator/testing/free-port.js';

let served: readonly Listening[] = [];
afterEach(() => Promise.all(served.map((one) => one.close())));

it('R34 the metrics are rendered once for all who ask at the same time', async () => {
  let rendered = 0;
  const metrics = { registry: { contentType: 'text/plain', metrics: async () => `up ${++rendered}\n` } };
  const port = await freePort();
  served = await servePages({ ...defaults, healthPort: 0, metricsPort: port }, { metrics } as unknown as Pages);
  const ask = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  await Promise.all(Array.from({ length: 20 }, ask));
  expect(rendered).toBeLessThan(5); // once, and again should a second pass meanwhile
});
