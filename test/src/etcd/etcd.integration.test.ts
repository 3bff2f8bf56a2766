import { App, Chart } from 'cdk8s';
import { expect, test } from 'vitest';
import { EtcdMemberClaim, EtcdMemberPod, EtcdSharedObjects, etcdImage } from '../../../src/index.js';
import { freshNamespace, givenControlPlane } from '../../given/control-plane.js';
import { appliedOn } from '../given-applied.js';
import { specOf } from './given-etcd.js';

test('the API server stores all objects of a member as they are rendered, and admits its Pod as a restricted one', async () => {
  const controlPlane = givenControlPlane();
  const namespace = await freshNamespace(controlPlane);
  await controlPlane.kubectl(['label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted']);
  const chart = new Chart(new App(), 'chart', { namespace });
  const spec = specOf({ storage: { size: '2048Mi' }, resources: { requests: { cpu: '0.5' } } });
  new EtcdSharedObjects(chart, 'shared', { name: 'store', voters: 3 });
  const member = { name: 'store', member: 'store-1', token: 'uid' };
  new EtcdMemberClaim(chart, 'claim', { ...member, storage: spec.storage });
  new EtcdMemberPod(chart, 'pod', { ...member, spec, image: etcdImage(spec) });
  // Issuers and Certificates are kinds of this package, which have tests of their own.
  const objects = chart.toJson().filter(({ apiVersion }) => !apiVersion.startsWith('reconstruct.dev/'));
  expect(objects).toHaveLength(7);
  expect(await appliedOn(controlPlane, objects)).toMatchObject(objects);
});
