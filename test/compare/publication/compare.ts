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
const rest = { names: 1_000, settling: 90, seconds: 180 };
/** Names that two owners want, and the seconds for which they are watched. */
const shared = { names: 200, seconds: 120 };

const contestants = { 'external-dns': externalDns, reconstruct } as const;

/** What `npm run compare` does for this system. */
export const comparison = {
  about: 'publication of Services in DNS',
  contestants: Object.keys(contestants),
  run: async (namespace, use, isWanted) => {
    for (const [name, make] of Object.entries(contestants)) {
      if (!isWanted(name)) continue;
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
  { what: `${rest.names} names that are created at once are in DNS after`, of: secondsToNames },
  { what: `requests of ${rest.names} names at rest, in an hour`, of: requestsAtRest },
  { what: `names with records of both, of ${shared.names} that two owners create at once`, of: twoOwners },
];

/** From the EndpointSlice to dig. */
async function secondsToAnswer({ site, publish }: Publisher): Promise<string> {
  await publish(['web'], 0);
  await until(async () => (await site.dig('web')).length === 1, { what: 'web', within: 180_000, every: 200 });
  const seconds: number[] = [];
  for (let count = 0; count < changes; count++) {
    const replicas = count % 2 === 0 ? 2 : 1;
    const scaled = site.scale(replicas);
    await until(async () => (await readyEndpoints(site.namespace, 'web-0')) === replicas, {
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

/** @param service whose endpoints are counted. @default - those of all Services */
async function readyEndpoints(namespace: string, service?: string): Promise<number> {
  const selector = service === undefined ? [] : [`--selector=kubernetes.io/service-name=${service}`];
  const args = ['--namespace', namespace, 'get', 'endpointslice', ...selector];
  const { items } = JSON.parse(await kubectl([...args, '--output=json'])) as {
    readonly items: readonly {
      readonly endpoints?: readonly { readonly conditions: { readonly ready?: boolean } }[];
    }[];
  };
  return items.flatMap(({ endpoints = [] }) => endpoints).filter(({ conditions }) => conditions.ready).length;
}

/** Says how long the parts take that are not the contestant's: kubectl, and the controller of EndpointSlices. */
async function secondsToNames({ site, publish }: Publisher, say: (line: string) => void): Promise<string> {
  const began = performance.now();
  const seconds = () => `${((performance.now() - began) / 1000).toFixed(0)} s`;
  const inSlices = async () => (await readyEndpoints(site.namespace)) >= rest.names;
  const isThere = async () => (await site.names()).size >= rest.names;
  const reached = async (what: string, isSo: () => Promise<boolean>) => {
    await until(isSo, { what, within: 900_000, every: 2_000 });
    say(`${what} after ${seconds()}`);
  };
  const published = publish(
    Array.from({ length: rest.names }, (_, index) => `n${index}`),
    0,
  ).then(() => say(`all objects are applied after ${seconds()}`));
  const sliced = published.then(() => reached('all Services have their endpoints', inSlices));
  await Promise.all([published, reached('all names are in DNS', isThere)]);
  const result = seconds();
  await sliced;
  return result;
}

async function requestsAtRest(publisher: Publisher, say: (line: string) => void): Promise<string> {
  const { site } = publisher;
  if ((await site.names()).size < rest.names) await secondsToNames(publisher, say);
  await pause(1000 * rest.settling);
  site.ways[0].take();
  await pause(1000 * rest.seconds);
  const { queries, transfers, updates, bytes } = site.ways[0].take();
  const inHour = (count: number) => Math.round((count * 3600) / rest.seconds);
  const size = `${(inHour(bytes) / 1e6).toFixed(1)} MB`;
  return `${inHour(queries)} queries, ${inHour(transfers)} transfers, ${inHour(updates)} updates, ${size}`;
}

/** Two that do not know each other want names at the same time, for different addresses. */
async function twoOwners({ site, publish, start }: Publisher, say: (line: string) => void): Promise<string> {
  await start(1);
  await site.scale(1, 1);
  const names = Array.from({ length: shared.names }, (_, index) => `shared${index}`);
  await Promise.all([publish(names, 0), publish(names, 1)]);
  const end = performance.now() + 1000 * shared.seconds;
  const mixed = new Set<string>();
  const ownersOf = new Map<string, Set<string>>();
  let last = 0;
  let found = 0;
  while (performance.now() < end) {
    const [addresses, owners] = [await site.names(), await site.names('TXT')];
    const isMixed = (name: string) =>
      (addresses.get(name)?.length ?? 0) > 1 || (owners.get(`a-${name}`)?.length ?? 0) > 1;
    const now = names.filter(isMixed);
    for (const name of now) mixed.add(name);
    for (const name of names)
      for (const owner of owners.get(`a-${name}`) ?? [])
        ownersOf.set(name, (ownersOf.get(name) ?? new Set()).add(owner));
    last = now.length;
    found = names.filter((name) => addresses.has(name)).length;
    await pause(500);
  }
  const changed = [...ownersOf.values()].filter(({ size }) => size > 1).length;
  say(`${found} of the names are in DNS, ${changed} had two owners`);
  return `${mixed.size}, ${last} of them after ${shared.seconds} s`;
}
