import { App, Chart, Yaml } from 'cdk8s';
import { expect, it } from 'vitest';
import { Cache } from '../../examples/16-leader-election/cache.js';

interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  // biome-ignore lint/suspicious/noExplicitAny: of several kinds
  readonly spec: any;
}

const objects = () => {
  const chart = new Chart(new App(), 'cache', { namespace: 'shop' });
  new Cache(chart, 'cache', { image: 'redis:7.4', replicas: 3 });
  return chart.toJson() as readonly Rendered[];
};

it('the application becomes the objects of its golden file', async () => {
  await expect(Yaml.stringify(...objects())).toMatchFileSnapshot('../../examples/16-leader-election/becomes.yaml');
});

it('the Pods have the labels that the election selects, and the launcher starts the server', () => {
  const of = (kind: string) => objects().find((one) => one.kind === kind) ?? expect.fail(kind);
  const { template } = of('StatefulSet').spec;
  expect(template.metadata.labels).toEqual(of('LeaderElection').spec.selector);
  expect(template.spec.serviceAccountName).toBe(of('ServiceAccount').metadata.name);
  expect(template.spec.containers[0].command).toEqual(['/reconstruct/leader-launcher', 'run', '--', 'redis-server']);
});
