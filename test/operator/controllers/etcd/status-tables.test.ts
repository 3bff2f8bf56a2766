import { describe, expect, it } from 'vitest';
import type { EtcdClusterResource } from '../../../../imports/index.js';
import { etcdCluster } from '../../../../operator/controllers/etcd/index.js';
import { statusTables } from '../../../../operator/controllers/etcd/status-tables.js';
import { live } from '../../../given.js';

const now = Date.parse('2026-11-22T12:00:00Z');

function cluster(status: object): EtcdClusterResource {
  const object = { apiVersion: 'reconstruct.dev/v1alpha1', kind: 'EtcdCluster' };
  return live({ ...object, metadata: { name: 'store', namespace: 'shop' }, spec: {}, status }) as never;
}

describe('the tables of an EtcdCluster', () => {
  it('are shown', () => {
    expect(etcdCluster.tables).toBe(statusTables);
  });

  it('show the leader, and each member with its Pod and place', () => {
    const endpoints = 'https://store-client.shop.svc:2379';
    const resource = cluster({
      ...{ ready: '1/2', clusterId: 'c1', endpoints },
      members: [
        { name: 'store-1', state: 'Starting', zone: 'a', node: 'node-1' },
        { name: 'store-2', state: 'Running', zone: 'b', node: 'node-2', id: 'f2', isLeader: true },
      ],
    });
    const status = { phase: 'Pending', containerStatuses: [{ name: 'etcd', restartCount: 3 }] };
    const pod = live({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'store-1', namespace: 'shop' }, status });
    expect(statusTables({ resource, objects: [pod], now })).toEqual([
      { rows: [{ LEADER: 'store-2', READY: '1/2', ENDPOINTS: endpoints, 'CLUSTER ID': 'c1' }] },
      {
        title: 'Members',
        rows: [
          {
            ...{ MEMBER: 'store-1', STATE: 'Starting', POD: 'Pending', RESTARTS: 3, ZONE: 'a', NODE: 'node-1' },
            ID: undefined,
          },
          {
            ...{ MEMBER: 'store-2', STATE: 'Running', POD: undefined, RESTARTS: undefined, ZONE: 'b', NODE: 'node-2' },
            ID: 'f2',
          },
        ],
      },
    ]);
  });

  it('have no members and no leader before the first status', () => {
    const rows = [{ LEADER: undefined, READY: undefined, ENDPOINTS: undefined, 'CLUSTER ID': undefined }];
    expect(statusTables({ resource: cluster({}), objects: [], now })).toEqual([{ rows }]);
  });
});
