import { createServer } from 'node:http';
import { afterEach, expect, it, vi } from 'vitest';
import { defaults } from '../../../operator/config/config.js';
import { type EndpointSources, serveEndpoints } from '../../../operator/process/endpoints.js';
import type { Listening } from '../../../operator/telemetry/server.js';
import { freePort } from '../../../operator/testing/control-plane/free-port.js';

let served: readonly Listening[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(served.map((one) => one.close()));
});

it('R34 the metrics are rendered once for concurrent requests', async () => {
  vi.useFakeTimers({ toFake: ['performance'] }); // time passes only while they are rendered
  let rendered = 0;
  const render = async () => {
    vi.advanceTimersByTime(5);
    return `up ${++rendered}\n`;
  };
  const metrics = { registry: { contentType: 'text/plain', metrics: render } };
  const port = await freePort();
  served = await serveEndpoints({ ...defaults, healthPort: 0, metricsPort: port }, {
    metrics,
  } as unknown as EndpointSources);
  const ask = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set(['up 1\n']));
});

it('serves the servers of engines at their ports', async () => {
  const servers = await Promise.all(
    ['lamp', 'door'].map(async (name) => {
      const server = createServer((_, response) => void response.end(name));
      return { server, port: await freePort() };
    }),
  );
  const sources = { servers } as unknown as EndpointSources;
  served = await serveEndpoints({ ...defaults, healthPort: 0, metricsPort: 0 }, sources);
  const answers = servers.map(async ({ port }) => (await fetch(`http://127.0.0.1:${port}/`)).text());
  expect(await Promise.all(answers)).toEqual(['lamp', 'door']);
});
