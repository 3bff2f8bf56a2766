import { ApiObject, App, Chart } from 'cdk8s';
import { afterEach, describe, expect, test } from 'vitest';
import { databaseSpec, withDefaults } from '../../../../crds/index.js';
import { databaseKind } from '../../../../imports/index.js';
import { assess } from '../../../../operator/controllers/database/assess.js';
import { backups } from '../../../../operator/controllers/database/backup-schedule/index.js';
import { desire } from '../../../../operator/controllers/database/desire.js';
import { database } from '../../../../operator/controllers/database/index.js';
import { credentials } from '../../../../operator/controllers/database/ports/credentials.js';
import { members } from '../../../../operator/controllers/database/ports/members.js';
import { restart } from '../../../../operator/controllers/database/ports/restart.js';
import type { DatabaseView } from '../../../../operator/controllers/database/view.js';
import { goneNodes } from '../../../../operator/pods/gone-nodes.js';
import type { Controller } from '../../../../operator/runtime/index.js';
import { ApiError } from '../../../../operator/runtime/kubernetes/errors.js';
import type { Manifest } from '../../../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import { provided } from '../../../../operator/runtime/ports/external-port.js';
import { rejectionPolicyOf } from '../../../../operator/runtime/rendering/object-policies.js';
import { live } from '../../../given.js';
import { bound } from '../../runtime/given/house.js';
import { GivenOperator } from '../../runtime/given/operator.js';
import { closeAll, runs } from '../../runtime/given/oracle.js';
import { conditionOf } from '../../runtime/given/widgets.js';
import { givenBackup } from '../database-backup/given-backup.js';
import { drawn } from './given-answers.js';
import { databaseView } from './given-view.js';

afterEach(closeAll);

const quota = 'pods "orders-2" is forbidden: exceeded quota: team: raise pods of ResourceQuota team';

/** Three instances that have run, of which one has no Pod: its primary streams to the other alone. */
function withoutPod(): DatabaseView {
  const streaming = { 'orders-3': { synchronous: true } };
  const status = { conditions: [{ type: 'Replicated', reason: 'Streaming', status: 'True' }] };
  const view = databaseView({ status, reports: { 'orders-1': { streaming } } });
  const of = (kind: never) =>
    view.owned.of(kind).filter((one: Manifest) => one.kind !== 'Pod' || one.metadata.name !== 'orders-2');
  return { ...view, owned: { of } as unknown as DatabaseView['owned'] };
}

const said = (view: DatabaseView, blocker?: string) => assess({ ...view, blocker }).conditions;

describe('an instance whose Pod the API server refuses', () => {
  test('is named with the reason', () => {
    expect(said(withoutPod(), quota).Provisioned).toEqual({
      reason: 'InstanceNotReady',
      message: `orders-2 has no Pod: ${quota}`,
    });
  });

  test.each([
    ['another object is refused', databaseView(), quota],
    ['nothing is refused', withoutPod(), undefined],
  ])('is not named when %s', (_, view, blocker) => {
    expect(said(view, blocker).Provisioned?.reason).not.toBe('InstanceNotReady');
  });

  test('does not keep earlier conditions: they are what the instances answer', () => {
    const { Available, Replicated } = said(withoutPod(), quota);
    expect(Available?.reason).toBe('Serving');
    expect(Replicated).toEqual({
      reason: 'Degraded',
      message: '1 of 2 replicas follows orders-1; orders-2 does not',
    });
  });

  test('does not hold up other objects, such as a volume that grows', () => {
    const chart = new Chart(new App(), 'chart', { namespace: 'shop' });
    const view = databaseView({ spec: { bootstrap: { restore: { from: { backup: 'nightly' } } } } });
    const status = { label: '20261121-030000F', archive: { volume: { claimName: 'old-repo' } } };
    const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'old-repo' } };
    const reads = { ...view.reads, backup: givenBackup('nightly', { status }), archives: [live(claim)] };
    desire(chart, { ...view, reads } as DatabaseView);
    const pods = chart.node.findAll().filter((one) => ApiObject.isApiObject(one) && one.kind === 'Pod') as ApiObject[];
    expect(pods.map(({ name }) => name)).toEqual(['orders-1', 'orders-2', 'orders-3', 'orders-archive']);
    for (const pod of pods) expect(rejectionPolicyOf(pod)).toMatchObject({ holdsUp: false });
  });
});

describe('a Database of which a quota refuses the Pod of the archive', () => {
  const metadata = { name: 'orders', namespace: 'shop' };

  /** An operator whose instances never answer. */
  async function given(finalSnapshot: object) {
    const nobody = async () => {
      throw new Error('nobody answers');
    };
    const faults = (cluster: Cluster): Cluster => ({
      ...bound(cluster),
      create: (kind, object, options) => {
        if (kind.kind === 'Pod' && object.metadata.name === 'orders-repo')
          throw new ApiError('pods "orders-repo" is forbidden: exceeded quota: team', {
            code: 403,
            reason: 'Forbidden',
          });
        return cluster.create(kind, object, options);
      },
    });
    const controllers = [database, backups] as unknown as Controller[];
    const ports = [
      provided(credentials, async () => drawn),
      ...[members, restart, goneNodes].map((one) => provided(one as never, nobody)),
    ];
    const operator = runs(new GivenOperator({ controllers, ports, faults }));
    await operator.start();
    const backup = { target: { volume: {} } };
    const spec = withDefaults(databaseSpec, { storage: { size: '1Gi' }, backup, finalSnapshot });
    const object = { apiVersion: 'reconstruct.dev/v1alpha1', kind: 'Database', metadata, spec };
    const {
      metadata: { uid },
    } = await operator.given(databaseKind, object as Manifest);
    await operator.clock.advance(5_000);
    return { operator, uid };
  }

  test('tells of it', async () => {
    const { operator } = await given({});
    const found = conditionOf(await operator.memory.read(databaseKind, metadata), 'BackedUp');
    expect(found?.['message']).toMatch(/exceeded quota: team: .*spec\.backup\.serverResources/);
  });

  test('is deleted without a final backup after the deadline, if the spec has that', async () => {
    const { operator, uid } = await given({ deadline: '10m', onFailure: 'Abandon' });
    await operator.memory.remove(databaseKind, metadata, { uid });
    await operator.clock.advance(5_000);
    expect(conditionOf(await operator.memory.read(databaseKind, metadata), 'Deletable')?.['reason']).toBe(
      'SnapshotRunning',
    );
    await operator.clock.advance(600_000);
    expect(await operator.memory.read(databaseKind, metadata)).toBeUndefined();
  });
});
