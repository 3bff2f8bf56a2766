import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { attemptsView } from '../../../cli/spark/attempts-view.js';
import { writeDriverLog } from '../../../cli/spark/driver-log.js';
import { forwardArguments, forwardDriverPage } from '../../../cli/spark/driver-page.js';
import { driverOf, runningDriver, type WantedAttempt } from '../../../cli/spark/resources.js';
import type { Request } from '../../../operator/cluster/http/transport.js';
import { ApiError } from '../../../operator/runtime/kubernetes/errors.js';
import { now } from '../status/given-conditions.js';
import { sparkJob } from './given-job.js';

const pod = { namespace: 'shop', name: 'clean-2-2-driver' };

describe('reconstruct spark attempts', () => {
  it('shows the attempt that runs, and why the earlier ones ended', () => {
    expect(attemptsView(sparkJob(), now)).toEqual([
      'RUN  ATTEMPT  RESULT         STARTED  DURATION  EXIT  BUDGET      NODE    POD               MESSAGE',
      '2    2        Running        2m ago   -         -     -           node-2  clean-2-2-driver  -',
      '2    1        OOMKilled      10m ago  3m12s     137   run         node-1  clean-2-1-driver  The memory limit of the driver was exceeded',
      '1    3        QuotaExceeded  -        -         -     submission  -       clean-1-3-driver  -',
      '1    2        Stopped        30m ago  1m        -     -           -       clean-1-2-driver  -',
    ]);
  });

  it.each([
    {
      when: 'the next attempt waits',
      status: { state: 'WaitingForRetry', driver: undefined, nextAttemptTime: '2030-01-01T00:00:30Z' },
      shows: /^2 +2 +WaitingForRetry .* starts in 30s$/,
    },
    {
      when: 'the driver is being stopped',
      status: { state: 'Stopping', stopping: { reason: 'Edited', message: 'The spec was edited', time: '' } },
      shows: /^2 +2 +Stopping .* The spec was edited$/,
    },
    {
      when: 'the job has ended',
      status: { state: 'Failed', completionTime: '2029-12-31T23:59:00Z' },
      shows: /^2 +1 +OOMKilled /,
    },
    { when: 'the job is suspended', status: { state: 'Suspended', attempt: 0 }, shows: /^2 +1 +OOMKilled / },
  ])('has in its first row what happens when $when', ({ status, shows }) => {
    expect(attemptsView(sparkJob(status), now)[1]).toMatch(shows);
  });

  it('says that there has been no attempt', () => {
    expect(attemptsView(sparkJob({ attempt: 0, driver: undefined, ended: [] }), now)).toEqual([
      'SparkJob shop/clean has had no attempt yet',
    ]);
  });
});

describe('reconstruct spark logs', () => {
  it.each<{ readonly wanted: WantedAttempt; readonly is: string; readonly status?: object }>([
    { wanted: {}, is: 'clean-2-2-driver' },
    { wanted: {}, is: 'clean-2-1-driver', status: { driver: undefined } },
    { wanted: { attempt: 1 }, is: 'clean-2-1-driver' },
    { wanted: { run: 1 }, is: 'clean-1-3-driver' },
    { wanted: { run: 1, attempt: 2 }, is: 'clean-1-2-driver' },
    // Older than what the status has.
    { wanted: { run: 1, attempt: 1 }, is: 'clean-1-1-driver' },
    { wanted: { attempt: 9 }, is: 'clean-2-9-driver' },
  ])('with $wanted reads the Pod $is', ({ wanted, is, status }) => {
    expect(driverOf(sparkJob(status), wanted)).toBe(is);
  });

  it.each([
    { wanted: {}, status: { driver: undefined, ended: [] }, says: 'SparkJob shop/clean has had no driver yet' },
    { wanted: { run: 7 }, status: {}, says: 'SparkJob shop/clean has had no driver of run 7' },
  ])('with $wanted says: $says', ({ wanted, status, says }) => {
    expect(() => driverOf(sparkJob(status), wanted)).toThrow(says);
  });

  const read = async (follow: boolean, stream: (request: Request) => Promise<never>) => {
    const pieces: Buffer[] = [];
    await writeDriverLog(pod, { follow, transport: { stream }, write: (piece) => pieces.push(piece) });
    return Buffer.concat(pieces).toString();
  };

  it.each([
    [false, '?container=driver'],
    [true, '?container=driver&follow=true'],
  ])('writes the log as it is, with --follow=%s', async (follow, query) => {
    const asked: Request[] = [];
    const stream = async (request: Request) => {
      asked.push(request);
      return (async function* () {
        yield [Buffer.from('first\n'), Buffer.from('sec')];
        yield [Buffer.from('ond\n')];
      })() as never;
    };
    expect(await read(follow, stream)).toBe('first\nsecond\n');
    expect(asked.map(({ path }) => path)).toEqual([`/api/v1/namespaces/shop/pods/clean-2-2-driver/log${query}`]);
  });

  it.each([
    [404, 'NotFound', 'Pod shop/clean-2-2-driver does not exist, or no longer'],
    [400, 'BadRequest', 'waiting to start'],
  ])('explains an answer %s', async (code, reason, says) => {
    const stream = async () => {
      throw new ApiError('container "driver" is waiting to start', { code, reason });
    };
    await expect(read(false, stream)).rejects.toThrow(says);
  });
});

describe('reconstruct spark ui', () => {
  it.each([
    { is: 'Running', status: {} },
    { is: 'Stopping', status: { state: 'Stopping' } },
  ])('leads to the driver of a job that is $is', ({ status }) => {
    expect(runningDriver(sparkJob(status))).toBe('clean-2-2-driver');
  });

  it.each([
    { status: { state: 'Succeeded' }, says: 'it has ended (Succeeded); a history server shows jobs that have ended' },
    { status: { state: 'WaitingForRetry', driver: undefined }, says: 'has no driver that runs: WaitingForRetry' },
    { status: { driver: { pod: 'clean-2-2-driver', uid: 'uid' } }, says: 'has no driver that runs' },
    { status: { state: undefined, driver: undefined }, says: 'the operator has not started it' },
  ])('says without a driver: $says', ({ status, says }) => {
    expect(() => runningDriver(sparkJob(status))).toThrow(says);
  });

  it('names the cluster that the options name', () => {
    expect(forwardArguments(pod, { access: {}, port: 8080 })).toEqual([
      ...['port-forward', 'pod/clean-2-2-driver', '8080:4040', '--namespace=shop'],
    ]);
    const access = { kubeconfig: '/tmp/config', context: 'lab' };
    expect(forwardArguments(pod, { access, port: 4040 })).toContain('--kubeconfig=/tmp/config');
    expect(forwardArguments(pod, { access, port: 4040 })).toContain('--context=lab');
  });

  it('says that kubectl is missing', async () => {
    const options = { access: {}, port: 4040, path: '/nowhere', print: () => {} };
    await expect(forwardDriverPage(pod, options)).rejects.toThrow('kubectl is not in PATH: install it');
  });

  it.each([
    { code: 0, is: 0 },
    { code: 3, is: 1 },
  ])('ends with $is when kubectl ends with $code', async ({ code, is }) => {
    const path = mkdtempSync(join(tmpdir(), 'kubectl-'));
    onTestFinished(() => rmSync(path, { recursive: true }));
    writeFileSync(join(path, 'kubectl'), `#!/bin/sh\nexit ${code}\n`, { mode: 0o755 });
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    expect(await forwardDriverPage(pod, { access: {}, port: 8080, path, print })).toBe(is);
    expect(lines).toEqual([expect.stringContaining('http://localhost:8080/ is the page of Pod clean-2-2-driver')]);
  });
});
