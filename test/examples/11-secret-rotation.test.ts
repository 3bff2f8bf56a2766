import { App, Chart, Yaml } from 'cdk8s';
import { expect, it } from 'vitest';
import { secretRotationSpec, withDefaults } from '../../crds/index.js';
import { Orders } from '../../examples/11-secret-rotation/orders.js';
import { loginData } from '../../src/index.js';

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  // biome-ignore lint/suspicious/noExplicitAny: of two kinds
  readonly spec: any;
}

const objects = () => {
  const chart = new Chart(new App(), 'orders', { namespace: 'shop' });
  new Orders(chart, 'orders-app', { database: 'orders', image: 'registry.example.com/orders:1.0.0' });
  return chart.toJson() as readonly Rendered[];
};

it('the application becomes the objects of its golden file', async () => {
  await expect(Yaml.stringify(...objects())).toMatchFileSnapshot('../../examples/11-secret-rotation/becomes.yaml');
});

it('the Deployment is the consumer, and reads a key that the Secret of a login has', () => {
  const [rotation = expect.fail(), deployment = expect.fail()] = objects();
  const { secretName, consumers } = withDefaults(secretRotationSpec, rotation.spec);
  expect(consumers).toEqual([{ deployment: deployment.metadata.name }]);
  const [{ valueFrom }] = deployment.spec.template.spec.containers[0].env;
  expect(valueFrom.secretKeyRef.name).toBe(secretName);
  const login = { username: 'orders_app_a', password: 'secret' };
  const data = loginData(login, { host: 'orders', port: 5432, database: 'app', authority: undefined });
  expect(Object.keys(data)).toContain(valueFrom.secretKeyRef.key);
});
