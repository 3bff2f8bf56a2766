import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigMap } from '../../../operator/index.js';
import { serverImage } from '../../images/project-images.js';
import { contractZone } from '../../operator/engines/dns/contract-zone.js';
import { figure, seconds } from '../algorithm/figure.js';
import { answered, told } from '../client/tally.js';
import { read } from '../cluster/api.js';
import { givenNamespace } from '../cluster/given-namespace.js';
import { slower, underKills } from '../cluster/kill-mode.js';
import { applied, kubectl } from '../cluster/kubectl.js';
import { killLeader } from '../cluster/operator-pods.js';
import { OutsideServers } from './outside-servers.js';
import { keyName, TriedPublication } from './tried-publication.js';

describe('a ServicePublication', () => {
  const namespace = givenNamespace('publication');
  let servers: OutsideServers;
  let shop: TriedPublication;

  /** The clients count for some seconds more, so that those that still have an old address are counted too. */
  const counted = async (line: number, what: string) => {
    await pause(1000 * (shop.times.ttl + shop.times.drain));
    const tally = shop.tally();
    figure(line, `${what}: ${told(tally)}`);
    expect(answered(tally)).toBeGreaterThan(100);
    return tally.failed;
  };
  const etcdValues = async () =>
    (await servers.etcd.etcdctl('get', '--prefix', shop.key)).split('\n').filter((line) => line.startsWith('{'));

  beforeAll(async () => {
    servers = await OutsideServers.start();
    const app = { namespace, name: 'shop', image: serverImage('1.0.0'), replicas: 1, version: '1' };
    shop = new TriedPublication(servers, app, { ttl: 5, drain: 5 });
    await applied(servers.keySecret(namespace, keyName));
    await shop.change();
    await shop.rolledOut();
  }, 240_000 * slower);
  afterAll(async () => {
    await shop?.stopClients();
    await servers?.stop();
  });

  it('publishes the address of a Pod in DNS, HAProxy, etcd and a ConfigMap', async () => {
    const began = Date.now();
    await shop.apply();
    await shop.untilPublished();
    figure(1, `published in four targets after ${seconds(began, Date.now())}`);
    const addresses = await shop.dig();
    expect(addresses).toHaveLength(1);
    expect(await etcdValues()).toEqual([expect.stringContaining(addresses[0] ?? '')]);
    const { data } = (await read(ConfigMap, { namespace, name: 'shop-addresses' })) ?? {};
    expect(JSON.stringify(data)).toContain(addresses[0]);
    await shop.until('the Pods are known', async () => !(await shop.says('Drained')).startsWith('PodsUnknown'));
    expect(await shop.says('Drained')).toMatch(/^LongEnough/);
  });

  it('tells dig three addresses within 5 seconds after three Pods are ready', async () => {
    await shop.change({ replicas: 3 });
    const ready = ['--namespace', namespace, 'wait', 'deployment/shop', '--for=jsonpath={.status.readyReplicas}=3'];
    await kubectl([...ready, '--timeout=120s']);
    const began = Date.now();
    await shop.until('three addresses', async () => (await shop.dig()).length === 3, underKills ? 30 : 5);
    figure(1, `three addresses ${seconds(began, Date.now())} after the third Pod was ready`);
    await shop.untilPublished();
  });

  it('loses no request of clients outside of the cluster in a rolling update', async () => {
    shop.startClients();
    await shop.change({ version: '2' });
    await shop.rolledOut();
    expect(await counted(1, 'rolling update')).toEqual([]);
    await shop.change({ replicas: 1 });
    await shop.rolledOut();
    expect(await counted(1, 'scaled to 1')).toEqual([]);
  });

  it('loses no request in a rolling update while the operator is killed', async () => {
    // Nothing is withdrawn while the lease of a killed leader lasts, which is 15 s for each.
    await shop.change({ replicas: 3, servesOn: shop.app.servesOn + 60 });
    await shop.rolledOut();
    shop.tally();
    await shop.change({ version: '3' });
    for (const kill of ['first', 'second']) {
      await shop.until(`a leader before the ${kill} kill`, async () => (await killLeader()) !== undefined);
      await pause(5_000);
    }
    await shop.rolledOut();
    expect(await counted(1, 'rolling update, operator killed twice')).toEqual([]);
    await shop.untilPublished(120);
  });

  /** Publishes a name that has records of external-dns. @returns the owner that it writes */
  const givenForeign = async (name: string) => {
    const foreign = 'heritage=external-dns,external-dns/owner=default,external-dns/resource=service/shop/billing';
    const [host, txt] = [`${name}.${contractZone}`, `a-${name}.${contractZone}`];
    await servers.update(`update add ${host} 60 A 192.0.2.99`, `update add ${txt} 60 TXT "${foreign}"`);
    const [dns] = shop.spec().targets;
    const own = { ...dns?.dns, name } as NonNullable<typeof dns>['dns'];
    await shop.apply({ targets: [{ dns: own }] as never }, name);
    await shop.until('the conflict is told', async () => (await shop.says('Published', name)).startsWith('Conflict'));
    expect(await shop.says('Published', name)).toContain(foreign);
    return foreign;
  };
  const deleted = (name: string) => kubectl(['--namespace', namespace, 'delete', 'pub', name, '--timeout=120s']);

  it('leaves the record of another owner as it is, and names that owner', async () => {
    await givenForeign('taken');
    expect(await shop.dig('A', 'taken.example.com')).toEqual(['192.0.2.99']);
    await deleted('taken');
    expect(await shop.dig('A', 'taken.example.com')).toEqual(['192.0.2.99']);
  });

  it('takes over the records of external-dns if a person gives its owner', async () => {
    const owner = await givenForeign('moved');
    const annotation = `reconstruct.dev/take-over-records=${owner}`;
    await kubectl(['--namespace', namespace, 'annotate', 'pub', 'moved', annotation]);
    const addresses = await shop.dig();
    const isMoved = async () => (await shop.dig('A', 'moved.example.com')).join() === addresses.join();
    await shop.until('the addresses are those of the Pods', isMoved);
    expect((await shop.dig('TXT', 'a-moved.example.com')).join()).toMatch(/^"heritage=reconstruct,/);
    await deleted('moved');
    expect(await shop.dig('A', 'moved.example.com')).toEqual([]);
    expect(await shop.dig('TXT', 'a-moved.example.com')).toEqual([]);
  });

  it('goes on with other targets while a killed DNS server is away, and catches up', async () => {
    await servers.named.kill();
    await shop.change({ replicas: 2 });
    await shop.until('etcd has two addresses', async () => (await etcdValues()).length === 2);
    await shop.until('the server is named', async () => (await shop.says('Published')).includes(servers.dnsServer));
    await servers.named.restart();
    const began = Date.now();
    await shop.until('DNS has two addresses', async () => (await shop.dig()).length === 2, 90);
    figure(3, `caught up ${seconds(began, Date.now())} after the server was back`);
    await shop.untilPublished();
  });

  it('tells in words that a key is wrong, and goes on with a corrected one', async () => {
    const secret = Buffer.alloc(64, 'wrong').toString('base64');
    await applied(servers.keySecret(namespace, keyName, { secret }));
    await shop.change({ replicas: 3 });
    await shop.until('the key is named', async () => /BADSIG/.test(await shop.says('Published')), 90);
    expect(await shop.says('Published')).not.toContain(secret);
    await shop.until('etcd has three addresses', async () => (await etcdValues()).length === 3);
    await applied(servers.keySecret(namespace, keyName));
    await shop.until('DNS has three addresses', async () => (await shop.dig()).length === 3, 90);
    await shop.untilPublished();
  });

  it('publishes again what HAProxy has lost by its restart', async () => {
    await shop.stopClients();
    await servers.haproxy.kill();
    await servers.haproxy.restart();
    const began = Date.now();
    const address = `http://127.0.0.1:${servers.haproxy.ports.clients}/`;
    await shop.until('HAProxy answers', async () => (await fetch(address)).ok, 30);
    figure(4, `HAProxy has its servers ${seconds(began, Date.now())} after its restart`);
  });

  it('removes its own records alone when it is deleted', async () => {
    await servers.update('update add other.example.com 60 A 192.0.2.98');
    await deleted('shop');
    expect(await shop.dig()).toEqual([]);
    expect(await shop.dig('TXT', `a-${shop.host}`)).toEqual([]);
    expect(await etcdValues()).toEqual([]);
    expect(await shop.dig('A', 'other.example.com')).toEqual(['192.0.2.98']);
    expect(await read(ConfigMap, { namespace, name: 'shop-addresses' })).toBeUndefined();
  });
});
