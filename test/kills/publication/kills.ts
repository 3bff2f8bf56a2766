import { answered, stretchesOf, type Tally } from '../../e2e/client/tally.js';
import { applied, kubectl } from '../../e2e/cluster/kubectl.js';
import { OutsideServers } from '../../e2e/publication/outside-servers.js';
import { keyName, TriedPublication } from '../../e2e/publication/tried-publication.js';
import { serverImage } from '../../images/project-images.js';
import type { KillsProps, KillsResult, SystemKills } from '../system-kills.js';
import { churn } from './churn.js';
import { Endpoints } from './endpoints.js';

/** What `npm run kills` does to this system. */
export const kills = {
  victims: 'endpoints of a ServicePublication',
  counted: 'requests',
  pauses: 'secondsUntilTold',
  run: publicationKills,
} satisfies SystemKills;

/** Changes of EndpointSlices for each Pod that is replaced. */
const changesPerPod = 50;

/**
 * Starts and ends endpoints at random, and deletes Pods meanwhile. Clients outside of the cluster that resolve by DNS, and
 * that go through HAProxy, count every request. A request without an answer is lost.
 */
async function publicationKills(namespace: string, props: KillsProps): Promise<KillsResult> {
  const servers = [await OutsideServers.start(), await OutsideServers.start()] as const;
  await using endpoints = await Endpoints.give(8);
  const app = { namespace, image: serverImage('1.0.0'), replicas: 3, version: '1' };
  const written = new TriedPublication(servers[0], { ...app, name: 'written' }, { ttl: 1, drain: 2 });
  const pods = new TriedPublication(servers[1], { ...app, name: 'pods' }, { ttl: 30, drain: 30 });
  try {
    await applied(servers[0].keySecret(namespace, keyName));
    const [delays, deleted] = await Promise.all([
      churn(written, endpoints, props),
      deletePods(pods, { ...props, kills: Math.floor(props.kills / changesPerPod) }),
    ]);
    await Promise.all([written, pods].map((tried) => tried.stopClients()));
    const tallies = [written, pods].map((tried) => tried.tally());
    const lost = tallies.flatMap(({ failed }) => stretchesOf(failed));
    return { pauses: delays, acknowledged: sum(tallies), changes: delays.length + deleted, lost };
  } finally {
    await Promise.all([written, pods].map((tried) => tried.stopClients()));
    await Promise.all(servers.map((one) => one.stop()));
  }
}

/** Deletes a Pod after the other. @returns how many */
async function deletePods(tried: TriedPublication, { kills: count, say, signal }: KillsProps): Promise<number> {
  if (count === 0) return 0;
  await tried.change();
  await tried.rolledOut();
  await tried.apply();
  await tried.untilPublished(120);
  tried.startClients();
  let deleted = 0;
  while (deleted < count && !signal.aborted) {
    const [pod = ''] = await tried.podNames();
    await kubectl(['--namespace', tried.app.namespace, 'delete', pod, '--wait=true']);
    await tried.rolledOut();
    deleted++;
    say(`${deleted} of ${count} Pods deleted`);
  }
  return deleted;
}

function sum(tallies: readonly Tally[]): number {
  return tallies.reduce((all, tally) => all + answered(tally), 0);
}
