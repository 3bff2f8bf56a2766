import { afterEach, describe, expect, it } from 'vitest';
import {
  type LaunchersAnswer,
  type LaunchersQuestion,
  launcherPort,
} from '../../../../operator/controllers/leader/ports/launchers.js';
import { launcherReport } from '../../../../operator/engines/leader/launcher-report.js';
import { type LauncherAccess, launchersFrom } from '../../../../operator/engines/leader/launchers-source.js';
import { openLeader } from '../../../../operator/engines/leader/open-leader.js';
import type { Provided, Source } from '../../../../operator/runtime/ports/external-port.js';
import { MemoryCluster } from '../../../../operator/testing/index.js';
import { FakeClock } from '../../fake-clock.js';
import { givenPod, local } from './given-pod.js';

/** Addresses of this process alone, because launchers have a fixed port. */
const network = `127.${1 + (process.pid % 250)}.${1 + (Math.floor(process.pid / 250) % 250)}`;
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const report = {
  ...{ name: 'cache-0', uid: 'u0', boot: 'b0', term: 7, role: 'leader', leads: true, authority: 'Lease', fencedAt: 7 },
  application: {
    isRunning: true,
    version: 'redis 7.0.15',
    replicationId: 'h',
    isComplete: true,
    hasData: true,
    confirmedBy: ['10.0.0.2'],
  },
} as const;

async function launcher(last: number, answer: Parameters<typeof givenPod>[0]) {
  const { address, end } = await givenPod(answer, launcherPort, `${network}.${last}`);
  ends.push(end);
  return address;
}

function ask(
  launchers: LaunchersQuestion['launchers'],
  token = async () => 'a-token',
  clock = local.clock,
): Promise<LaunchersAnswer> {
  const { source } = launchersFrom({ ...local, clock, token, observer: { announceTo: () => {} } });
  return answerOf(source, launchers);
}

function answerOf(source: Provided['source'] | undefined, launchers: LaunchersQuestion['launchers']) {
  const { signal } = new AbortController();
  const question = { namespace: 'shop', lease: 'cache', launchers };
  return (source as unknown as Source<LaunchersQuestion, LaunchersAnswer>)(question, { signal });
}

describe('the state of launchers', () => {
  it('is asked with the token of the operator, and one that fails holds up no other', async () => {
    const tokens: unknown[] = [];
    const good = await launcher(1, (request, response) => {
      tokens.push([request.url, request.headers.authorization]);
      response.end(JSON.stringify({ ...report, renewedAgo: 3, more: 'unknown' }));
    });
    const one = (name: string, address: string) => ({ name, uid: `u${name.at(-1)}`, address });
    const refusing = await launcher(2, (_, response) => response.writeHead(403).end());
    const other = await launcher(3, (_, response) => response.end(JSON.stringify(report)));
    const broken = await launcher(4, (_, response) => response.end('<html>'));
    const moving = await launcher(5, (_, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    );
    const endless = await launcher(6, (_, response) => response.end('x'.repeat(70_000)));
    const { reports, silent } = await ask([
      ...[one('cache-0', good), one('cache-1', refusing), one('cache-2', other), one('cache-3', broken)],
      ...[one('cache-4', moving), one('cache-5', endless), one('cache-6', `${network}.7`)],
    ]);
    expect(reports).toEqual({ 'cache-0': report });
    expect(tokens).toEqual([['/v1/status', 'Bearer a-token']]);
    expect(silent).toEqual({
      'cache-1': expect.stringContaining('status 403: its ServiceAccount does not accept the operator'),
      'cache-2': `the launcher at ${network}.3 is of another Pod`,
      'cache-3': 'the answer is no JSON',
      'cache-4': expect.stringContaining('redirect'),
      'cache-5': 'the answer has more than 65536 bytes',
      'cache-6': expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('is not waited for longer than two seconds', async () => {
    const clock = new FakeClock();
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const address = await launcher(8, () => isAsked());
    const answer = ask([{ name: 'cache-0', uid: 'u0', address }], async () => 'a-token', clock);
    await asked;
    await clock.advance(2_000);
    expect((await answer).silent).toEqual({ 'cache-0': 'no answer within 2000 ms' });
  });

  it('is waited for half a second if the launcher was silent before, and for the whole time in one of four questions', async () => {
    const clock = new FakeClock();
    let isAsked = () => {};
    const address = await launcher(9, () => isAsked());
    const observer = { announceTo: () => {} };
    const { source } = launchersFrom({ ...local, clock, token: async () => 'a-token', observer });
    const waits: unknown[] = [];
    for (const wait of [2_000, 500, 500, 500, 2_000, 500]) {
      const asked = new Promise<void>((resolve) => {
        isAsked = resolve;
      });
      const answer = answerOf(source, [{ name: 'cache-0', uid: 'u0', address }]);
      await asked;
      await clock.advance(wait);
      waits.push((await answer).silent['cache-0']);
    }
    expect(waits).toEqual([2_000, 500, 500, 500, 2_000, 500].map((wait) => `no answer within ${wait} ms`));
  });

  it('is asked for anew when the Lease of the election is announced, and for no other election', async () => {
    const announced: unknown[] = [];
    let announce: (lease: { namespace: string; name: string }) => void = () => {};
    const observer: LauncherAccess['observer'] = {
      announceTo: (listener) => {
        announce = listener;
      },
    };
    const { source, announces } = launchersFrom({ ...local, token: async () => 'a-token', observer });
    announces?.((question) => announced.push(question), new AbortController());
    announce({ namespace: 'shop', name: 'cache' });
    expect(announced).toEqual([]);
    await answerOf(source, []);
    announce({ namespace: 'shop', name: 'other' });
    announce({ namespace: 'shop', name: 'cache' });
    expect(announced).toEqual([{ namespace: 'shop', lease: 'cache', launchers: [] }]);
  });

  it('is never asked at an address that no Pod has, and the token stays here', async () => {
    const { provided, close } = openLeader({
      ...{ cluster: new MemoryCluster(), clock: local.clock, config: { leaderTokenFile: '/proc/self/comm' } },
    });
    const source = provided.find(({ port }) => port.name === 'reconstruct/leader-launchers')?.source;
    const launchers = ['127.0.0.1', '169.254.169.254', '::1', 'cache-0.shop'].map((address) => ({
      name: address,
      uid: '',
      address,
    }));
    const { silent } = await answerOf(source, launchers);
    expect(silent).toEqual({
      '127.0.0.1': 'address "127.0.0.1" of a Pod is loopback',
      '169.254.169.254': 'address "169.254.169.254" of a Pod is link-local',
      '::1': 'address "::1" of a Pod is loopback',
      'cache-0.shop': 'address "cache-0.shop" of a Pod is no IP address',
    });
    await close();
  });

  it('is unknown without a token, with the option that names it', async () => {
    const { provided, close } = openLeader({
      ...{ cluster: new MemoryCluster(), clock: local.clock, config: { leaderTokenFile: '/nowhere' } },
    });
    const source = provided.find(({ port }) => port.name === 'reconstruct/leader-launchers')?.source;
    await expect(answerOf(source, [])).rejects.toThrow('--leader-token-file');
    await close();
  });
});

describe('a report', () => {
  it.each([
    { what: 'a list', text: '[]' },
    { what: 'no boot', text: JSON.stringify({ ...report, boot: '' }) },
    { what: 'an unknown role', text: JSON.stringify({ ...report, role: 'king' }) },
    { what: 'a negative term', text: JSON.stringify({ ...report, term: -1 }) },
    { what: 'a fraction', text: JSON.stringify({ ...report, fencedAt: 0.5 }) },
  ])('with $what is refused', ({ text }) => {
    expect(() => launcherReport(text)).toThrow('the answer is no report');
  });

  it('has nothing that a status cannot have', () => {
    const problem = `line\nline\u0000${'x'.repeat(400)}`;
    const read = launcherReport(
      JSON.stringify({ ...report, problem, application: { offset: 1e300, hasData: 'yes', confirmedBy: 'all' } }),
    );
    expect(read.problem).toMatch(/^line line x+$/);
    expect(read.problem?.length).toBeLessThanOrEqual(300);
    expect(read.application).toEqual({ isRunning: false, version: '', replicationId: '', isComplete: false });
  });

  it('is safe by default: what it does not say is false', () => {
    const { leads, application, ...rest } = report;
    expect(launcherReport(JSON.stringify(rest))).toMatchObject({
      leads: false,
      application: { isRunning: false, isComplete: false },
    });
  });

  it('keeps a promise and a failed handover', () => {
    const more = {
      promisedTo: { term: 6, boot: 'b1' },
      handover: { term: 7, to: 'cache-1', problem: 'it did not get all writes in time', request: 'x' },
    };
    expect(launcherReport(JSON.stringify({ ...report, ...more }))).toMatchObject(more);
  });
});
