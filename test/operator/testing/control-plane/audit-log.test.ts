import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuditLog } from '../../../../operator/testing/control-plane/audit-log.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'audit-'));
});
afterAll(() => rm(folder, { recursive: true }));

const event = (auditID: string, fields: object = {}) => ({
  kind: 'Event',
  stage: 'ResponseComplete',
  auditID,
  verb: 'get',
  requestURI: '/readyz',
  user: { username: 'jane' },
  responseStatus: { code: 200 },
  requestReceivedTimestamp: '2026-01-02T03:04:05.678901Z',
  ...fields,
});

const auditLogWith = async (...texts: readonly string[]) => {
  const path = join(folder, 'audit.log');
  await writeFile(path, texts.join(''));
  return new AuditLog(path);
};
const line = (...args: Parameters<typeof event>) => `${JSON.stringify(event(...args))}\n`;

describe('an audit log', () => {
  it('is empty before the first request', async () => {
    const log = new AuditLog(join(folder, 'absent.log'));
    expect([await log.requests(), await log.length()]).toEqual([[], 0]);
  });

  it('has the user, the verb, the object and the result of a request', async () => {
    const objectRef = { apiGroup: 'apps', resource: 'deployments', subresource: 'scale', namespace: 'n', name: 'web' };
    const log = await auditLogWith(
      line('1', { verb: 'patch', requestURI: '/apis', userAgent: 'me', objectRef, responseStatus: { code: 409 } }),
    );
    expect(await log.requests()).toEqual([
      {
        auditID: '1',
        verb: 'patch',
        user: 'jane',
        credential: '',
        uri: '/apis',
        userAgent: 'me',
        group: 'apps',
        resource: 'deployments',
        subresource: 'scale',
        namespace: 'n',
        name: 'web',
        code: 409,
        denied: false,
        receivedAt: '2026-01-02T03:04:05.678901Z',
        complete: true,
      },
    ]);
  });

  it('has empty words for what a request does not have', async () => {
    const [request] = await (await auditLogWith(line('1'))).requests();
    expect(request).toMatchObject({ group: '', resource: '', subresource: '', namespace: '', name: '', userAgent: '' });
  });

  it('has a watch once, at the place of its start, and complete when it has ended', async () => {
    const started = line('watch', { verb: 'watch', stage: 'ResponseStarted' });
    const log = await auditLogWith(started, line('other'));
    expect(await log.requests()).toMatchObject([{ auditID: 'watch', complete: false }, { auditID: 'other' }]);
    const ended = await auditLogWith(started, line('other'), line('watch', { verb: 'watch' }));
    expect(await ended.requests()).toMatchObject([{ auditID: 'watch', complete: true }, { auditID: 'other' }]);
  });

  it('leaves out a line that is being written, and has it from the same length on later', async () => {
    const [first, second] = [line('ä'), line('2')];
    const log = await auditLogWith(first, second.slice(0, 20));
    expect(await log.requests()).toMatchObject([{ auditID: 'ä' }]);
    const length = await log.length();
    await auditLogWith(first, second);
    expect(await log.requests(length)).toMatchObject([{ auditID: '2' }]);
    expect(await log.requests()).toMatchObject([{ auditID: 'ä' }, { auditID: '2' }]);
  });

  it('has each line once for callers that ask at the same time, from different positions', async () => {
    const log = await auditLogWith(line('1'), line('2'));
    const later = await auditLogWith(line('1'), line('2'), line('3'));
    const position = Buffer.byteLength(line('1'));
    const ids = async (since: number) => (await later.requests(since)).map(({ auditID }) => auditID);
    expect(await Promise.all([ids(position), ids(0), ids(await log.length()), ids(position)])).toEqual([
      ['2', '3'],
      ['1', '2', '3'],
      [],
      ['2', '3'],
    ]);
  });

  it('finds its last complete line before a long one that is being written', async () => {
    const log = await auditLogWith(line('1'), 'x'.repeat(200_000));
    expect(await log.length()).toBe(Buffer.byteLength(line('1')));
  });
});
