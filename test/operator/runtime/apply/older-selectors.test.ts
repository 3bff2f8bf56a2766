import { Deployment as Servers } from 'cdk8s-plus-27';
import { afterEach, expect, test } from 'vitest';
import { ConfigMap, Deployment, Service } from '../../../../operator/runtime/kubernetes/kinds.js';
import { GivenHouse } from '../given/house.js';
import { type Seen, strict } from '../given/immutable.js';
import { add, conditionOf, widgetController } from '../given/widgets.js';

const older = { 'cdk8s.io/metadata.addr': 'servers-c8e2ab4c' };
let isOlder = true;
const controller = widgetController({
  owns: [ConfigMap, Service, Deployment],
  desire: (scope, { resource: { metadata } }) => {
    const { name } = metadata;
    if (isOlder) {
      const template = { metadata: { labels: older }, spec: { containers: [{ name: 'main', image: 'main:1' }] } };
      add(scope, 'apps/v1', 'Deployment', name, { spec: { selector: { matchLabels: older }, template } });
      add(scope, 'v1', 'Service', name, { spec: { selector: older, ports: [{ port: 80 }] } });
    } else {
      const containers = [{ name: 'main', image: 'main:1', portNumber: 80 }];
      new Servers(scope, 'servers', { metadata: { name }, containers }).exposeViaService({ name });
    }
  },
});
const seen: Seen = { removals: [], attempts: 0 };
const house = new GivenHouse({ controller, faults: (cluster) => strict(cluster, seen) });
afterEach(() => house.close());

test('R20 a Deployment with the label of an older construct path stays, is reported, and is recreated when it is deleted', async () => {
  await house.givenWidget({});
  await house.pass();
  const before = await house.read(Deployment, 'web');
  isOlder = false;
  house.restart();
  await house.pass();
  expect((await house.read(Deployment, 'web'))['spec']).toEqual(before['spec']);
  expect(conditionOf(await house.widget(), 'Blocked')).toMatchObject({
    status: 'True',
    reason: 'ImmutableField',
    message: expect.stringContaining('spec.selector'),
  });
  const { selector } = (await house.read(Service, 'web'))['spec'];
  expect(selector).not.toEqual(older);

  await house.removed(Deployment, 'web');
  await house.pass();
  expect((await house.read(Deployment, 'web'))['spec'].selector).toEqual({ matchLabels: selector });
  expect(conditionOf(await house.widget(), 'Blocked')).toBeUndefined();
});
