import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { App, Chart, Yaml } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { databaseSpec, withDefaults } from '../crds/index.js';
import { parseYaml } from '../operator/yaml/parse-yaml.js';
import {
  Algorithm,
  type AlgorithmResource,
  AlgorithmTrial,
  DatabaseClaim,
  DatabasePod,
  type DatabaseResource,
  DatabaseSharedObjects,
  gatewayName,
  instanceImage,
} from '../src/index.js';

const folder = resolve('examples');
const others = ['05-canary', '06-database', '10-certificates', '11-secret-rotation', '12-kafka', '13-training'];
/** Those of the first construct; the others are operators, or have tests of their own. */
const becoming = readdirSync(folder).filter(
  (example) => existsSync(join(folder, example, 'becomes.yaml')) && !others.includes(example),
);

function resourceOf<Resource = AlgorithmResource>(example: string): Resource {
  return parseYaml(readFileSync(join(folder, example, 'resource.yaml'), 'utf8'));
}

describe('an example', () => {
  test.each(becoming)('becomes the objects of its golden file: %s', async (example) => {
    const { metadata, spec } = resourceOf(example);
    const chart = new Chart(new App(), 'chart');
    // As in the operator, which accepts every name of a resource.
    chart.node.setContext('reconstruct.dev/resource', metadata.name);
    new Algorithm(chart, metadata.name, spec);
    await expect(Yaml.stringify(...chart.toJson())).toMatchFileSnapshot(join(folder, example, 'becomes.yaml'));
  });

  test('on trial becomes the objects of its golden file: 05-canary', async () => {
    const { metadata, spec } = resourceOf('05-canary');
    const stable = { ...spec, image: 'registry.example.com/recommendation:2.1.4' };
    const chart = new Chart(new App(), 'chart', { namespace: 'default' });
    new Algorithm(chart, 'stable', { ...stable, name: metadata.name, front: { gateway: gatewayName } });
    const trial = { spec, replicas: 1, weight: 20 };
    new AlgorithmTrial(chart, 'trial', { name: metadata.name, stable, trial, gateway: { name: gatewayName } });
    const golden = join(folder, '05-canary', 'becomes.yaml');
    await expect(Yaml.stringify(...chart.toJson())).toMatchFileSnapshot(golden);
  });

  test('of a Database becomes what its golden file says, and its first instance: 06-database', async () => {
    const { metadata, spec: written } = resourceOf<DatabaseResource>('06-database');
    const { name } = metadata;
    const spec = withDefaults(databaseSpec, written);
    const chart = new Chart(new App(), 'chart', { namespace: 'default' });
    new DatabaseSharedObjects(chart, 'database', { ...spec, name });
    new DatabaseClaim(chart, 'claim', { name, instance: `${name}-1`, storage: spec.storage });
    new DatabasePod(chart, 'pod', { name, instance: `${name}-1`, spec, image: instanceImage(spec) });
    const golden = join(folder, '06-database', 'becomes.yaml');
    await expect(Yaml.stringify(...chart.toJson())).toMatchFileSnapshot(golden);
  });

  test('that synth writes is the first one', () => {
    expect(parseYaml(readFileSync('dist/examples/resource.k8s.yaml', 'utf8'))).toEqual(
      resourceOf('01-recommendation-engine'),
    );
    const becomes = readFileSync(join(folder, '01-recommendation-engine', 'becomes.yaml'), 'utf8');
    expect(readFileSync('dist/examples/construct.k8s.yaml', 'utf8')).toBe(becomes);
  });
});
