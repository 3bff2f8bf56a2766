import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { App, Chart, Yaml } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { parseYaml } from '../operator/yaml/parse-yaml.js';
import { Algorithm, type AlgorithmResource, AlgorithmTrial, gatewayName } from '../src/index.js';

const folder = resolve('examples');
/** The examples with a golden file. */
const golden = readdirSync(folder).filter((example) => existsSync(join(folder, example, 'becomes.yaml')));
/** Those of the first construct alone; the others have files of their own in `test/examples`. */
const becoming = golden.filter((example) => example !== '05-canary' && kindOf(example) === 'Algorithm');

function resourceOf(example: string): AlgorithmResource {
  return parseYaml(readFileSync(join(folder, example, 'resource.yaml'), 'utf8'));
}

/** Undefined if the example has no `resource.yaml`. */
function kindOf(example: string): string | undefined {
  return existsSync(join(folder, example, 'resource.yaml')) ? resourceOf(example).kind : undefined;
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

  test.each(golden.filter((example) => kindOf(example) !== 'Algorithm'))(
    'of another kind is compared with its golden file by a test with its name: %s',
    (example) => {
      const text = readFileSync(join('test', 'examples', `${example}.test.ts`), 'utf8');
      expect(text).toContain(`/examples/${example}/becomes.yaml`);
    },
  );

  test('that synth writes is the first one', () => {
    expect(parseYaml(readFileSync('dist/examples/resource.k8s.yaml', 'utf8'))).toEqual(
      resourceOf('01-recommendation-engine'),
    );
    const becomes = readFileSync(join(folder, '01-recommendation-engine', 'becomes.yaml'), 'utf8');
    expect(readFileSync('dist/examples/construct.k8s.yaml', 'utf8')).toBe(becomes);
  });
});
