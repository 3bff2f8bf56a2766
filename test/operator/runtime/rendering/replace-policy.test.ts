import { ApiObject, App, Chart } from 'cdk8s';
import { PersistentVolumeAccessMode, PersistentVolumeClaim } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { expect, test } from 'vitest';
import { allowRecreation, replacePolicyOf } from '../../../../operator/runtime/rendering/object-policies.js';
import { KubeObject } from '../../../../src/index.js';

/** An object of this kind in a construct, in a chart. */
function given(apiVersion: string, kind: string) {
  const chart = new Chart(new App(), 'chart');
  const construct = new Construct(chart, 'construct');
  return { chart, construct, object: new KubeObject(construct, 'it', { apiVersion, kind, metadata: { name: 'a' } }) };
}

const cluster = 'apiextensions.k8s.io/v1';

test.each([
  { policy: 'never', of: ['batch/v1', 'Job'], said: 'nothing' },
  { policy: 'recreate', of: ['batch/v1', 'Job'], said: 'object' },
  { policy: 'recreate', of: ['batch/v1', 'Job'], said: 'construct' },
  { policy: 'recreate', of: ['batch/v1', 'Job'], said: 'chart' },
  { policy: 'never', of: ['v1', 'PersistentVolumeClaim'], said: 'construct' },
  { policy: 'never', of: ['v1', 'PersistentVolume'], said: 'construct' },
  { policy: 'never', of: ['v1', 'Namespace'], said: 'chart' },
  { policy: 'never', of: [cluster, 'CustomResourceDefinition'], said: 'chart' },
  { policy: 'recreate', of: ['v1', 'PersistentVolumeClaim'], said: 'object' },
  { policy: 'recreate', of: [cluster, 'CustomResourceDefinition'], said: 'object' },
] as const)(
  'R20 the policy of $of is $policy when recreation is allowed to its $said',
  ({ policy, of: [apiVersion, kind], said }) => {
    const { object, ...around } = given(apiVersion, kind);
    if (said !== 'nothing') allowRecreation({ object, ...around }[said]);
    expect(replacePolicyOf(object)).toBe(policy);
  },
);

test('R20 what wraps one object of a kind that holds data speaks for it', () => {
  const chart = new Chart(new App(), 'chart');
  const accessModes = [PersistentVolumeAccessMode.READ_WRITE_ONCE];
  const claim = new PersistentVolumeClaim(chart, 'claim', { accessModes });
  allowRecreation(claim);
  expect(replacePolicyOf(ApiObject.of(claim))).toBe('recreate');
});
