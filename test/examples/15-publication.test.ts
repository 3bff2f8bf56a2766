import { readFileSync } from 'node:fs';
import { App, Chart } from 'cdk8s';
import { expect, it } from 'vitest';
import { parseYaml } from '../../operator/yaml/parse-yaml.js';
import { KubeServicePublication } from '../../src/index.js';
import { PublicationWorld } from '../operator/controllers/publication/given-world.js';

// biome-ignore lint/suspicious/noExplicitAny: as users write it
const resource: any = parseYaml(readFileSync('examples/15-publication/resource.yaml', 'utf8'));

it('the example is accepted by cdk8s synth', () => {
  const chart = new Chart(new App(), 'shop');
  new KubeServicePublication(chart, 'billing', { metadata: resource.metadata, spec: resource.spec });
  expect(chart.toJson()).toHaveLength(1);
});

it('the example publishes the Service in DNS and for Prometheus', async () => {
  const world = await PublicationWorld.start(resource.spec);
  expect(world.dns('billing.corp.example.com')).toEqual(['10.1.0.1', '10.1.0.2']);
  expect(await world.file('billing-targets')).toHaveProperty(['targets.json']);
});
