import { App, Chart, Yaml } from 'cdk8s';
import { expect, it } from 'vitest';
import { kafkaTopicSpec, kafkaUserSpec, withDefaults } from '../../crds/index.js';
import { Invoices } from '../../examples/12-kafka/invoices.js';
import { KafkaUserSecret } from '../../src/index.js';

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  // biome-ignore lint/suspicious/noExplicitAny: of three kinds
  readonly spec: any;
}

const objects = () => {
  const chart = new Chart(new App(), 'invoices', { namespace: 'shop' });
  new Invoices(chart, 'invoices', { cluster: 'events', image: 'registry.example.com/invoices:1.0.0' });
  return chart.toJson() as readonly Rendered[];
};

it('the application becomes the objects of its golden file', async () => {
  await expect(Yaml.stringify(...objects())).toMatchFileSnapshot('../../examples/12-kafka/becomes.yaml');
});

it('the user has rights on the topic, and the Deployment reads keys that its Secret has', () => {
  const [topic = expect.fail(), user = expect.fail(), deployment = expect.fail()] = objects();
  const { cluster } = withDefaults(kafkaTopicSpec, topic.spec);
  const { acls, cluster: its } = withDefaults(kafkaUserSpec, user.spec);
  expect(its).toEqual(cluster);
  expect(acls[0]?.resource.name).toBe(topic.metadata.name);

  const { containers, volumes } = deployment.spec.template.spec;
  const [{ secretKeyRef }] = containers[0].env.map(({ valueFrom }: { valueFrom: object }) => valueFrom);
  expect([secretKeyRef.name, volumes[0].secret.secretName]).toEqual([user.metadata.name, user.metadata.name]);
  const chart = new Chart(new App(), 'secret');
  const login = { username: 'invoices', password: 'secret', bootstrapServers: 'events:9092', hasTls: true };
  new KafkaUserSecret(chart, 'secret', { name: 'invoices', namespace: 'shop', ...login });
  expect(Object.keys(chart.toJson()[0].data)).toContain(secretKeyRef.key);
});
