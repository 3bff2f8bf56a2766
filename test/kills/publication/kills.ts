import { applied, kubectl } from '../../e2e/cluster/kubectl.js';
import { OutsideServers } from '../../e2e/publication/outside-servers.js';
import { keyName, type Times, TriedPublication } from '../../e2e/publication/tried-publication.js';
import { serverImage } from '../../images/project-images.js';
import type { KillsProps, KillsResult, SystemKills } from '../system-kills.js';
import { anyOf } from './any-of.js';
import { churn } from './churn.js';
import { Endpoints } from './endpoints.js';
import { type Lost, lostRequests } from './lost-requests.js';

/** What `npm run kills` does to this system. */
export const kills = {
  victims: 'endpoints of a ServicePublication',
  counted: 'requests',
  pauses: 'secondsUntilTold',
  parts: ['endpoints', 'pods'],
  run: publicationKills,
} satisfies SystemKills;

/** Changes of EndpointSlices for each Pod that is deleted, if both parts run at once. */
const changesPerPod = 50;

/** What a part of it counted. */
interface PartResult extends Lost {
  /** Seconds until DNS told each change. */
  readonly delays: readonly number[];
  readonly changes: number;
}

/**
 * Starts and ends endpoints at random, and deletes Pods. Clients outside of the cluster that resolve by DNS, and that go
 * through HAProxy, count every request. A request without an answer is lost.
 */
async function publicationKills(namespace: string, { part, ...props }: KillsProps): Promise<KillsResult> {
  const pods = part === undefined ? Math.floor(props.kills / changesPerPod) : props.kills;
  const results = await Promise.all([
    ...(part === 'pods' ? [] : [changedEndpoints(namespace, props)]),
    ...(part === 'endpoints' || pods === 0 ? [] : [deletedPods(namespace, { ...props, kills: pods })]),
  ]);
  return {
    pauses: results.flatMap(({ delays }) => delays),
    acknowledged: results.reduce((sum, { answered }) => sum + answered, 0),
    changes: results.reduce((sum, { changes }) => sum + changes, 0),
    lost: results.flatMap(({ lost }) => lost),
  };
}

/** EndpointSlices that a test writes, so that they change often. */
async function changedEndpoints(namespace: string, props: KillsProps): Promise<PartResult> {
  await using endpoints = await Endpoints.give(8);
  const place = { namespace, name: 'written', times: { ttl: 1, drain: 2 } };
  return await withServers(place, (tried) => churn(tried, endpoints, props));
}

/** Deletes a Pod after the other. */
async function deletedPods(namespace: string, { kills: count, say, signal }: KillsProps): Promise<PartResult> {
  return withServers({ namespace, name: 'pods', times: { ttl: 30, drain: 30 } }, async (tried) => {
    await tried.change();
    await tried.rolledOut();
    await tried.apply();
    await tried.untilPublished(120);
    const deleted = new Map<string, number>();
    const lost = lostRequests(tried, say, (address) => shownIn(deleted, address));
    let changes = 0;
    try {
      while (changes < count && !signal.aborted) {
        const pod = anyOf(await tried.pods());
        deleted.set(pod?.status?.podIP ?? '', performance.now());
        await kubectl(['--namespace', namespace, 'delete', 'pod', pod?.metadata.name ?? '', '--wait=true']);
        await tried.rolledOut();
        changes++;
        say(`${changes} of ${count} Pods deleted, ${lost.told()}`);
      }
    } finally {
      say(`${changes} Pods deleted: ${await lost.end()}`);
    }
    return { ...lost.sum, delays: [], changes };
  });
}

/** When a Pod was deleted, by its address, for people. */
function shownIn(deleted: ReadonlyMap<string, number>, address: string): string {
  const at = deleted.get(address);
  return at === undefined ? 'not deleted' : `deleted ${((performance.now() - at) / 1000).toFixed(2)} s ago`;
}

/** A publication in servers of its own. */
async function withServers<T>(
  { namespace, name, times }: { readonly namespace: string; readonly name: string; readonly times: Times },
  use: (tried: TriedPublication) => Promise<T>,
): Promise<T> {
  const servers = await OutsideServers.start();
  const app = { namespace, name, image: serverImage('1.0.0'), replicas: 3, version: '1' };
  const tried = new TriedPublication(servers, app, times);
  try {
    await applied(servers.keySecret(namespace, keyName));
    return await use(tried);
  } finally {
    await tried.stopClients();
    await servers.stop();
  }
}
