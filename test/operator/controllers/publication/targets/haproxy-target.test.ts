import { describe, expect, it, test } from 'vitest';
import type { HaproxyServer } from '../../../../../operator/controllers/publication/ports/haproxy.js';
import {
  type HaproxyTarget,
  readHaproxy,
  serverName,
} from '../../../../../operator/controllers/publication/targets/haproxy-target.js';

const prefix = 'rc-12345678-';
const one = { address: '10.1.0.1', port: 8080 };
const name = serverName(prefix, one);
const server = (state: HaproxyServer['state'], more: Partial<HaproxyServer> = {}): HaproxyServer => ({
  ...{ name, ...one, state, isDown: false, isBusy: false, ...more },
});
const read = (servers: readonly HaproxyServer[], more: Partial<HaproxyTarget> = {}) =>
  readHaproxy({
    ...{ address: '10.0.0.9:9999', backend: 'billing', prefix, wanted: [], servers, draining: [] },
    ...{ drain: 30_000, now: 100_000, mayDelete: true, ...more },
  });
const changes = (reading: ReturnType<typeof read>) =>
  reading.request?.type === 'haproxy' ? reading.request.request.changes : [];

describe('a server of a backend', () => {
  it('is added and gets sessions', () => {
    expect(changes(read([], { wanted: [one] }))).toEqual([
      { act: 'add', name, ...one },
      { act: 'set', name, state: 'ready' },
    ]);
  });

  test.each<[what: string, state: HaproxyServer['state'], more: Partial<HaproxyTarget>, change: object | undefined]>([
    ['gets sessions again if it is wanted again', 'drain', { wanted: [one] }, { act: 'set', name, state: 'ready' }],
    ['stays as it is while it is wanted', 'ready', { wanted: [one] }, undefined],
    ['gets no new sessions when it is withdrawn', 'ready', {}, { act: 'set', name, state: 'drain' }],
    ['finishes its sessions', 'drain', { draining: [{ name, since: 70_001 }] }, undefined],
    [
      'stops after the time of drain',
      'drain',
      { draining: [{ name, since: 70_000 }] },
      { act: 'set', name, state: 'maint' },
    ],
    ['finishes its sessions, if a restarted operator does not know since when', 'drain', {}, undefined],
    ['is deleted in the end', 'maint', { draining: [{ name, since: 70_000 }] }, { act: 'delete', name }],
    ['is not deleted if nothing may be', 'drain', { draining: [{ name, since: 1 }], mayDelete: false }, undefined],
    [
      'with a time in the future finishes its sessions from now on',
      'drain',
      { draining: [{ name, since: 900_000 }] },
      undefined,
    ],
  ])('%s', (_, state, more, change) => {
    expect(changes(read([server(state)], more))).toEqual(change ? [change] : []);
  });

  it('with sessions is deleted later', () => {
    expect(changes(read([server('maint', { isBusy: true })], { draining: [{ name, since: 1 }] }))).toEqual([]);
  });

  it('tells when its sessions end', () => {
    expect(read([server('drain')], { draining: [{ name, since: 80_000 }] })).toMatchObject({
      ...{ nextAt: 110_000, draining: [{ name, since: 80_000 }], held: [name] },
    });
  });

  it('without the prefix of the publication is never changed', () => {
    const others = [server('ready', { name: 'web1' }), server('maint', { name: 'rc-87654321-000000000000' })];
    expect(read(others)).toMatchObject({ request: undefined, held: [], records: 0 });
  });
});
