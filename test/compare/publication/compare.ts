import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../chaos/wait.js';
import { kubectl } from '../../e2e/cluster/kubectl.js';
import { distributionOf } from '../../kills/distribution.js';
import type { Comparison, Figure } from '../comparison.js';
import { DnsSite } from './dns-site.js';
import { externalDns, type Publisher, reconstruct } from './publishers.js';

/** How often the endpoints change. */
const changes = 10;
/** Names at rest, and the seconds for which requests are counted. */
const rest = { names: 1_000, settling: 60, seconds: 180 };
/** Seconds for which two owners of a name are watched. */
const watched = 90;

/** What `npm run compare` does for this system. */
export const comparison = {
  about: 'publication of Services in DNS',
  run: async (namespace, use) => {
    for (const make of [externalDns, reconstruct]) {
      const site = await DnsSite.start(namespace);
      const publisher = make(site);
      try {
        await site.scale(1);
        await publisher.start(0);
        await use(publisher, figures);
      } finally {
        await publisher.stop().catch(console.error);
        await site.stop();
      }
    }
  },
} satisfies Comparison<Publisher>;

const figures: readonly Figure<Publisher>[] = [
  { what: 'a changed endpoint is in the answer after (median, most)', of: secondsToAnswer },
  { what: `requests of ${rest.names} names at rest, in an hour`, of: requestsAtRest },
  { what: 'two owners of one name', of: twoOwners },
];

/** From the EndpointSlice to dig. */
async function secondsToAnswer({ site, publish }: Publisher): Promise<string> {
  await publish(['web'], 0);
  await until(async () => (await site.dig('web')).length === 1, { what: 'web', within: 180_000, every: 200 });
  const seconds: number[] = [];
  for (let count = 0; count < changes; count++) {
    const replicas = count % 2 === 0 ? 2 : 1;
    const scaled = site.scale(replicas);
    await until(async () => (await readyEndpoints(site.namespace)) === replicas, {
      ...{ what: `${replicas} endpoints`, within: 120_000, every: 50 },
    });
    const began = performance.now();
    await until(async () => (await site.dig('web')).length === replicas, {
      ...{ what: `${replicas} addresses`, within: 180_000, every: 50 },
    });
    seconds.push((performance.now() - began) / 1000);
    await scaled;
    await pause(1000 * Math.random() * 10);
  }
  const { median, most } = distributionOf(seconds);
  return `${median.toFixed(1)} s, ${most.toFixed(1)} s`;
}

async function readyEndpoints(namespace: string): Promise<number> {
  const args = ['--namespace', namespace, 'get', 'endpointslice', '--selector=kubernetes.io/service-name=web-0'];
  const { items } = JSON.parse(await kubectl([...args, '--output=json'])) as {
    readonly items: readonly {
      readonly endpoints?: readonly { readonly conditions: { readonly ready?: boolean } }[];
    }[];
  };
  return items.flatMap(({ endpoints = [] }) => endpoints).filter(({ conditions }) => conditions.ready).length;
}

async function requestsAtRest({ site, publish }: Publisher, say: (line: string) => void): Promise<string> {
  const began = performance.now();
  await publish(
    Array.from({ length: rest.names }, (_, index) => `n${index}`),
    0,
  );
  await until(async () => (await site.count()) >= rest.names, { what: 'all names', within: 900_000, every: 1_000 });
  say(`${rest.names} names after ${((performance.now() - began) / 1000).toFixed(0)} s`);
  await pause(1000 * rest.settling);
  site.ways[0].take();
  await pause(1000 * rest.seconds);
  const { queries, transfers, updates, bytes } = site.ways[0].take();
  const inHour = (count: number) => Math.round((count * 3600) / rest.seconds);
  const size = `${(inHour(bytes) / 1e6).toFixed(1)} MB`;
  return `${inHour(queries)} queries, ${inHour(transfers)} transfers, ${inHour(updates)} updates, ${size}`;
}

/** Two that do not know each other want a name at the same time. */
async function twoOwners({ site, publish, start }: Publisher): Promise<string> {
  await start(1);
  await Promise.all([publish(['shared'], 0), publish(['shared'], 1)]);
  const end = performance.now() + 1000 * watched;
  const states: string[] = [];
  while (performance.now() < end) {
    const owners = (await site.dig('a-shared', 'TXT')).map((text) => /owner=([^,"]*)/.exec(text)?.[1] ?? text);
    const state = owners.join(' and ');
    if (state !== states.at(-1)) states.push(state);
    await pause(200);
  }
  const known = states.filter((state) => state !== '');
  return `${new Set(known).size === 1 ? 'one owner' : `${known.length} changes of the owner`} in ${watched} s`;
}
