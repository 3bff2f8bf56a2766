import { Deployment as Servers } from 'cdk8s-plus-27';
import { expect, test } from 'vitest';
import { Deployment, Service } from '../../../../operator/runtime/kubernetes/kinds.js';
import { givenRealHouse } from '../given/real-house.js';

const house = givenRealHouse({
  controller: () => ({
    owns: [Deployment, Service],
    conditions: {},
    assess: () => ({ conditions: {} }),
    desire: (scope, { resource }) => {
      const { name } = resource.metadata;
      const containers = [{ image: 'main:1', portNumber: 8080 }];
      new Servers(scope, 'servers', { metadata: { name }, containers }).exposeViaService({ name });
    },
  }),
});

test('R34 the Services of L2 constructs select the Pods of their own resource', async () => {
  const names = ['web', 'web-2'];
  for (const name of names) await house().apply(name, {});
  for (const name of names) await house().until(async () => (await house().condition(name, 'Ready')) === 'True Ready');
  const selectors = names.map(async (name) => (await house().read(Service, name))?.['spec'].selector);
  const labels = names.map(async (name) => (await house().read(Deployment, name))?.['spec'].template.metadata.labels);
  const [one, other] = await Promise.all(selectors);
  expect(await Promise.all(labels)).toEqual([one, other]);
  expect(one).not.toEqual(other);
});
