import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type PeerCertificate } from 'node:tls';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CertificateAuthority } from '../../../../operator/certificates/authority.js';
import { fingerprintOf } from '../../../../operator/certificates/reading.js';
import type { SecretData } from '../../../../operator/runtime/ports/external-port.js';
import { etcdContract } from './etcd.contract.js';
import { etcdAbsence, GivenEtcd, secretOf } from './given-etcd.js';

if (etcdAbsence) console.warn(`skipped: ${etcdAbsence}`);

/** Started here, because the contract describes its tests with the answer of the cluster. */
const single = etcdAbsence ? undefined : await GivenEtcd.start(1);
const first = await single?.ask();
afterAll(() => single?.[Symbol.asyncDispose]());

describe.skipIf(!single)('a real etcd', () => {
  if (!single || !first) return;
  etcdContract({ access: single.access, first, visibleWithin: 2_000 }, async () => {
    const { members } = await single.ask();
    const added = members.filter(({ name }) => name === undefined);
    for (const { id } of added) await single.change({ act: 'removeMember', id });
    // A member with the same URL gets another ID in the next second.
    if (added.length > 0) await pause(1_100);
    return single.provided;
  });
});

const timed = async <T>(promise: Promise<T>) => {
  const began = performance.now();
  const settled = await promise.then(
    (answer): { answer: T; error?: never } => ({ answer }),
    (error: unknown): { answer?: never; error: unknown } => ({ error }),
  );
  return { ...settled, ms: Math.round(performance.now() - began) };
};

/** The figures of the comments in the sources. */
const measured = (what: string, ms: number) => console.log(`etcd: ${what}: ${Math.round(ms)} ms`);

// The tests change one cluster, so they run in order.
describe.skipIf(etcdAbsence !== undefined)('three members', () => {
  let etcd: GivenEtcd;
  const names = ['store-1', 'store-2', 'store-3'] as const;
  /** The names of the leader and of the others. */
  const roles = async () => {
    const { leader, members } = await etcd.until((answer) => answer.hasQuorum && answer.leader !== undefined);
    const nameOf = (is: boolean) => members.flatMap(({ id, name }) => ((id === leader) === is && name ? [name] : []));
    return { leader: nameOf(true)[0] ?? '', followers: nameOf(false) };
  };
  const memberOf = async (name: string) => (await etcd.ask()).members.find((one) => one.name === name);

  beforeAll(async () => {
    etcd = await GivenEtcd.start(3);
  });
  afterAll(() => etcd?.[Symbol.asyncDispose]());

  test('answer with all that they know', async () => {
    const answer = await etcd.ask();
    expect(answer).toMatchObject({ hasQuorum: true, silent: {} });
    expect(answer.members.map(({ name }) => name).toSorted()).toEqual(names);
    for (const one of answer.members) {
      expect(one).toMatchObject({ isLearner: false, isHealthy: true });
      expect(one.report).toEqual({ version: '3.4.23', behind: 0, dbSize: 2 ** 20, dbSizeInUse: 2 ** 20, alarms: [] });
    }
    expect(answer.members.map(({ id }) => id)).toContain(answer.leader);
  });

  test('hand the leadership over, and again without an effect', async () => {
    const { followers } = await roles();
    const id = await etcd.idOf(followers[0] ?? '');
    const { ms } = await timed(etcd.change({ act: 'moveLeader', id }));
    measured('a leader is moved', ms);
    expect((await etcd.ask()).leader).toBe(id);
    await etcd.change({ act: 'moveLeader', id });
    expect((await etcd.ask()).leader).toBe(id);
    await expect(etcd.change({ act: 'moveLeader', id: 'abc' })).rejects.toMatchObject({ kind: 'terminal' });
  });

  test('present a renewed certificate without a restart', async () => {
    const { folder, ports } = etcd.member('store-1');
    const { certificate, key } = await etcd.authority.issue({
      ...{ commonName: 'store-member', hosts: ['localhost', '127.0.0.1'] },
    });
    await writeFile(join(folder, 'tls', 'tls.crt'), certificate);
    await writeFile(join(folder, 'tls', 'tls.key'), key);
    const presented = await new Promise<PeerCertificate>((resolve, reject) => {
      const at = { host: '127.0.0.1', port: ports.client, rejectUnauthorized: false };
      const socket = connect(at, () => {
        resolve(socket.getPeerCertificate());
        socket.destroy();
      }).on('error', reject);
    });
    expect(fingerprintOf(new X509Certificate(presented.raw))).toBe(fingerprintOf(new X509Certificate(certificate)));
    expect(await memberOf('store-1')).toMatchObject({ isHealthy: true });
  });

  test('show an alarm', async () => {
    const { 'tls.crt': cert = '', 'tls.key': key = '', 'ca.crt': ca = '' } = etcd.secret;
    const dispatcher = new Agent({ connect: { cert, key, ca } });
    const alarm = async (action: string) => {
      const body = JSON.stringify({
        action,
        memberID: BigInt(`0x${await etcd.idOf('store-2')}`).toString(),
        alarm: 'NOSPACE',
      });
      const url = `${etcd.member('store-1').endpoint}/v3/maintenance/alarm`;
      const answer = await request(url, { dispatcher, method: 'POST', body });
      await answer.body.dump();
    };
    await alarm('ACTIVATE');
    await etcd.until(({ members }) => members.every(({ report }) => report?.alarms.includes('NOSPACE')));
    await alarm('DEACTIVATE');
    await etcd.until(({ members }) => members.every(({ report }) => report?.alarms.length === 0));
    await dispatcher.close();
  });

  test('accept no client of another authority', async () => {
    const { secret } = etcd;
    const other = await CertificateAuthority.create(1, 'another');
    const asked = async (data: SecretData) => {
      etcd.secret = data;
      return etcd.ask().finally(() => {
        etcd.secret = secret;
      });
    };
    const ofOther = await secretOf(other, 'store-operator');
    const refused = asked({ ...ofOther, 'ca.crt': secret['ca.crt'] ?? '' });
    await expect(refused).rejects.toMatchObject({ kind: 'unauthorized' });
    await expect(asked(ofOther)).rejects.toMatchObject({ kind: 'unreachable', mayHaveEffect: false });
    await expect(asked({})).rejects.toMatchObject({ kind: 'unauthorized' });
    expect(await etcd.ask()).toMatchObject({ hasQuorum: true });
  });

  test('have a learner, which answers no clients, gets a vote once it has the log, and is asked for it twice', async () => {
    await etcd.create('store-4');
    const { peerUrl, endpoint, folder } = etcd.member('store-4');
    measured('a learner is added', await etcd.changeInTime({ act: 'addMember', peerUrl }));
    await etcd.change({ act: 'addMember', peerUrl });
    const id = await etcd.idOf('store-4');
    const [unstarted] = (await etcd.ask()).members.filter((one) => one.id === id);
    expect(unstarted).toEqual({ id, peerUrls: [peerUrl], isLearner: true, isHealthy: false });
    await expect(etcd.change({ act: 'promoteMember', id })).rejects.toMatchObject({
      ...{ kind: 'retryable', mayHaveEffect: false },
    });

    await etcd.run('store-4', { state: 'existing', members: [...names, 'store-4'] });
    const { ms } = await timed(etcd.until(({ members }) => members.some((one) => one.id === id && one.isHealthy)));
    measured('a learner is healthy after its start', ms);
    expect((await etcd.ask()).members.find((one) => one.id === id)).toMatchObject({ isLearner: true, name: 'store-4' });
    expect(await healthOf(endpoint, folder)).not.toBe(0);
    measured('a learner is promoted', await etcd.changeInTime({ act: 'promoteMember', id }));
    await etcd.change({ act: 'promoteMember', id });
    expect(await memberOf('store-4')).toMatchObject({ isLearner: false, isHealthy: true });
    expect(await healthOf(endpoint, folder)).toBe(0);
    await expect(etcd.change({ act: 'promoteMember', id: 'abc' })).rejects.toMatchObject({ kind: 'terminal' });
  });

  test('lose a member that is removed: it ends, and ends again with its data', async () => {
    const id = await etcd.idOf('store-4');
    await etcd.change({ act: 'removeMember', id });
    await etcd.change({ act: 'removeMember', id });
    expect(await etcd.member('store-4').process?.exited).toBeDefined();
    expect((await etcd.ask()).members.map(({ name }) => name).toSorted()).toEqual(names);
    await etcd.run('store-4');
    const { ms } = await timed(etcd.member('store-4').process?.exited ?? Promise.reject(new Error('not started')));
    measured('a removed member ends after its start', ms);
    await etcd.discard('store-4');
  });

  test('accept no member with the certificate of a client', async () => {
    await etcd.create('store-5', 'store-client');
    const { peerUrl } = etcd.member('store-5');
    await etcd.changeInTime({ act: 'addMember', peerUrl });
    await etcd.run('store-5', { state: 'existing', members: [...names, 'store-5'] });
    await pause(3_000);
    const id = await etcd.idOf('store-5');
    expect((await etcd.ask()).members.find((one) => one.id === id)).toMatchObject({ isHealthy: false });
    await etcd.change({ act: 'removeMember', id });
    await etcd.discard('store-5');
  });

  test('do not start without their data', async () => {
    const [name = ''] = (await roles()).followers;
    await etcd.kill(name);
    await etcd.wipe(name);
    await etcd.run(name);
    expect(await etcd.member(name).process?.exited).not.toBe(0);
    expect(await etcd.member(name).process?.lastLines()).toContain('cannot fetch cluster info from peer urls');
    // Back as another member, which has nothing to remember.
    await etcd.change({ act: 'removeMember', id: await etcd.idOf(name) });
    await etcd.discard(name);
    await etcd.create(name);
    await etcd.changeInTime({ act: 'addMember', peerUrl: etcd.member(name).peerUrl });
    await etcd.run(name, { state: 'existing', members: names });
    await etcd.changeInTime({ act: 'promoteMember', id: await etcd.idOf(name) });
    await etcd.until(({ members }) => members.every(({ isHealthy, isLearner }) => isHealthy && !isLearner));
  });

  test('go on without one: it can be removed, the others cannot, and none can be added', async () => {
    const { followers } = await roles();
    const [dead = '', alive = ''] = followers;
    await etcd.kill(dead);
    const { answer, ms } = await timed(etcd.ask());
    measured('the answer with one member down', ms);
    expect(answer).toMatchObject({ hasQuorum: true });
    expect(Object.keys(answer?.silent ?? {})).toEqual([etcd.member(dead).endpoint]);
    expect(answer?.members.filter(({ isHealthy }) => !isHealthy)).toEqual([
      expect.not.objectContaining({ report: expect.anything() }),
    ]);
    await pause(500);
    const refusal = { kind: 'retryable', message: 'etcdserver: unhealthy cluster', mayHaveEffect: false };
    const adding = { act: 'addMember', peerUrl: 'https://127.0.0.1:1' } as const;
    await expect(etcd.change(adding)).rejects.toMatchObject(refusal);
    await expect(etcd.change({ act: 'removeMember', id: await etcd.idOf(alive) })).rejects.toMatchObject(refusal);
    await etcd.run(dead);
    await etcd.until(({ members }) => members.every(({ isHealthy }) => isHealthy));
    measured('a learner is added after a member came back', await etcd.changeInTime(adding));
    const added = (await etcd.ask()).members.find(({ isLearner }) => isLearner);
    await etcd.change({ act: 'removeMember', id: added?.id ?? '' });
  });

  test('have another leader after the leader was killed', async () => {
    const { leader } = await roles();
    const id = await etcd.idOf(leader);
    await etcd.kill(leader);
    const { ms } = await timed(etcd.until((answer) => answer.hasQuorum && answer.leader !== id));
    measured('a quorum has another leader after the leader was killed', ms);
    await etcd.run(leader);
    await etcd.until(({ members }) => members.every(({ isHealthy }) => isHealthy));
  });

  test('list what one knows without a quorum, and nothing is changed', async () => {
    const { leader, followers } = await roles();
    const id = await etcd.idOf(followers[0] ?? '');
    await etcd.kill(...followers);
    const at = await timed(etcd.ask());
    measured('the answer just after the quorum was lost', at.ms);
    expect(at.answer).toMatchObject({ hasQuorum: false });
    await etcd.until((answer) => answer.leader === undefined);
    const { answer, ms } = await timed(etcd.ask());
    measured('the answer without a quorum', ms);
    expect(answer).toMatchObject({ hasQuorum: false });
    expect(answer).not.toHaveProperty('leader');
    expect(answer?.members.map(({ name, isHealthy }) => [name, isHealthy]).toSorted()).toEqual(
      names.map((name) => [name, false]),
    );
    expect(answer?.members.filter(({ report }) => report).map(({ name }) => name)).toEqual([leader]);

    let left = 0;
    const attempt = await timed(etcd.change({ act: 'removeMember', id }, () => void left++));
    measured('a change is refused without a quorum', attempt.ms);
    expect(attempt).toMatchObject({ error: { kind: 'unreachable', mayHaveEffect: false } });
    expect(left).toBe(0);

    await etcd.kill(leader);
    await expect(etcd.ask()).rejects.toThrow('no member answers: ');
    for (const name of names) await etcd.run(name);
    await etcd.until(({ hasQuorum, members }) => hasQuorum && members.every(({ isHealthy }) => isHealthy));
  });
});

/** The exit code of the readiness probe. */
function healthOf(endpoint: string, folder: string): Promise<number> {
  const tls = (file: string) => join(folder, 'tls', file);
  const env = {
    ...process.env,
    ...{ ETCDCTL_API: '3', ETCDCTL_ENDPOINTS: endpoint.replace('127.0.0.1', 'localhost') },
    ...{ ETCDCTL_CERT: tls('tls.crt'), ETCDCTL_KEY: tls('tls.key'), ETCDCTL_CACERT: tls('ca.crt') },
  };
  return new Promise((resolve) => {
    execFile('etcdctl', ['endpoint', 'health', '--command-timeout=3s'], { env }, (error) =>
      resolve(error === null ? 0 : Number(error.code)),
    );
  });
}
