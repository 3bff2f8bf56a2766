import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { EtcdAnswer, EtcdQuestion, EtcdRequest } from '../../../../operator/controllers/etcd/ports/cluster.js';
import { openEtcd } from '../../../../operator/engines/etcd/open-etcd.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import type { Perform, Source } from '../../../../operator/runtime/ports/external-port.js';

const closed: (() => void)[] = [];
afterEach(() => {
  for (const close of closed.splice(0)) close();
});

type Answers = Readonly<Record<string, object | string>>;

/** A server with these answers, by the method. A method without one is refused as the quorum does. */
async function given(answers: Answers): Promise<{ readonly endpoint: string; readonly methods: readonly string[] }> {
  const methods: string[] = [];
  const server = createServer((request, response) => {
    const method = (request.url ?? '').replace('/v3/', '');
    methods.push(method);
    const answer = answers[method];
    if (answer === undefined) response.writeHead(503).end('{"code":14,"message":"etcdserver: request timed out"}');
    else response.writeHead(200).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closed.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, methods };
}

function engine(...servers: readonly { readonly endpoint: string }[]) {
  const data = Object.fromEntries(['tls.crt', 'tls.key', 'ca.crt'].map((key) => [key, 'eA==']));
  const opened = openEtcd({ cluster: { read: async () => ({ data }) } as unknown as Pick<Cluster, 'read'> });
  closed.push(() => void opened.close());
  const [{ source, performer } = expect.fail('no port')] = opened.provided;
  const access = { cluster: 'uid', namespace: 'shop', secret: 's', endpoints: servers.map(({ endpoint }) => endpoint) };
  const { signal } = new AbortController();
  const perform = performer?.perform as Perform<EtcdRequest>;
  return {
    ask: () => (source as unknown as Source<EtcdQuestion, EtcdAnswer>)(access, { signal }),
    remove: (id: string) => perform({ ...access, act: 'removeMember', id }, { signal, mayLeave: () => {} }),
  };
}

const status = (id: number, fields: object = {}) => ({
  header: { cluster_id: '255', member_id: `${id}` },
  ...{ version: '3.4.23', leader: '1', raftIndex: '5000', dbSize: '1', ...fields },
});
const listed = (...ids: readonly number[]) => ({
  members: ids.map((id) => ({ ID: `${id}`, name: `store-${id}`, peerURLs: [`https://store-${id}:2380`] })),
});
const serving = (id: number, fields: object = {}) => ({
  'maintenance/status': status(id, fields),
  'kv/range': {},
  'cluster/member/list': listed(1, 2, 3),
});

test('the leader is asked for the members, and the figures of the others are rounded', async () => {
  const leader = await given(serving(1, { raftIndex: '9000', dbSize: `${2 ** 20 + 1}` }));
  const follower = await given(serving(2, { raftIndex: '7500' }));
  const { members, ...rest } = await engine(follower, leader).ask();
  expect(rest).toEqual({ clusterId: 'ff', hasQuorum: true, leader: '1', silent: {} });
  expect(members.map(({ id, isHealthy, report }) => [id, isHealthy, report?.behind, report?.dbSize])).toEqual([
    ['1', true, 0, 2 ** 21],
    ['2', true, 1_000, 2 ** 20],
    ['3', false, undefined, undefined],
  ]);
  expect(follower.methods).toEqual(['maintenance/status']);
});

test('another member is asked if the leader has lost the quorum', async () => {
  const { 'kv/range': _, ...lonely } = serving(1);
  const answer = await engine(await given(lonely), await given(serving(2, { leader: '2' }))).ask();
  expect(answer).toMatchObject({ hasQuorum: true, leader: '2' });
  expect(answer.members.map(({ id, isHealthy }) => [id, isHealthy])).toEqual([
    ['1', false],
    ['2', true],
    ['3', false],
  ]);
});

test('the member with the longest log lists the members without a quorum', async () => {
  const { 'kv/range': _, leader: __, ...alone } = { ...serving(1), leader: undefined };
  const without = { ...alone, 'maintenance/status': { ...status(1), leader: undefined } };
  const longest = {
    'maintenance/status': { ...status(2), leader: undefined, raftIndex: '6000' },
    'cluster/member/list': listed(1, 2, 3, 4),
  };
  const answer = await engine(await given(without), await given(longest)).ask();
  expect(answer).toMatchObject({ hasQuorum: false });
  expect(answer).not.toHaveProperty('leader');
  expect(answer.members).toHaveLength(4);
});

test('a member of another cluster counts as silent', async () => {
  const strange = await given(serving(3, { header: { cluster_id: '16', member_id: '3' } }));
  const answer = await engine(await given(serving(1)), strange).ask();
  expect(answer.silent).toEqual({ [strange.endpoint]: 'is a member of another cluster, 10' });
  expect(answer.members.find(({ id }) => id === '3')).not.toHaveProperty('report');
});

test('a learner alone lists no members', async () => {
  await expect(engine(await given(serving(1, { isLearner: true }))).ask()).rejects.toMatchObject({
    ...{ kind: 'unreachable', message: 'no member with a vote answers' },
  });
});

test.each(['{}', '[]', 'null', 'hello', '{"header":{"member_id":1}}'])('%s is no answer', async (answer) => {
  const server = await given({ 'maintenance/status': answer });
  await expect(engine(server).ask()).rejects.toMatchObject({ kind: 'unreachable', mayHaveEffect: false });
});

test('an alarm is read from the errors', async () => {
  const errors = ['memberID:1 alarm:NOSPACE ', 'etcdserver: no leader'];
  const { members } = await engine(await given(serving(1, { errors }))).ask();
  expect(members[0]?.report?.alarms).toEqual(['NOSPACE']);
});

test('nothing is removed if no member reads through a quorum', async () => {
  const { 'kv/range': _, ...lonely } = serving(1);
  const server = await given({ ...lonely, 'cluster/member/remove': {} });
  await expect(engine(server).remove('2')).rejects.toMatchObject({ kind: 'unreachable', mayHaveEffect: false });
  expect(server.methods).not.toContain('cluster/member/remove');
});
