import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { parseYaml } from '../../operator/yaml/parse-yaml.js';
import { Algorithm, type AlgorithmSpecInput } from '../../src/index.js';
import { givenControlPlane } from '../given/control-plane.js';
import { appliedOn } from '../src/given-applied.js';
import { everyTemplateField } from '../src/given-pod-template.js';
import { type Child, comparable } from './given/comparable.js';
import { givenOperator } from './given/operator.js';
import { Site } from './given/site.js';

givenOperator(givenControlPlane);

const everyField: AlgorithmSpecInput = {
  image: 'server:1',
  replicas: 3,
  command: ['serve', ''],
  args: ['--fast'],
  config: { 'a.yaml': 'a', empty: '' },
  port: 9000,
  probes: { path: '/ready', startupSeconds: 61, periodSeconds: 7, timeoutSeconds: 3, failureThreshold: 5 },
  resources: { requests: { cpu: '1500m', memory: '1024Mi' }, gpu: 'nvidia.com/gpu', gpuCount: 2 },
  metrics: { port: 80 },
  podTemplate: everyTemplateField,
  terminationGracePeriodSeconds: 5,
};

/** Without those that have a lifecycle: what these become depends on what is there, and has golden files of its own. */
const examples = readdirSync('examples')
  .map((folder) => `examples/${folder}/resource.yaml`)
  .filter((file) => existsSync(file))
  .map((file) => [file, parseYaml(readFileSync(file, 'utf8'))] as const)
  .filter(([, { kind, spec }]) => kind === 'Algorithm' && !spec.lifecycle);

const rows: readonly (readonly [what: string, name: string, spec: AlgorithmSpecInput])[] = [
  ['every field', 'reco', everyField],
  ['a name of 253 characters', `${'a-very.long-name.'.repeat(14)}with-the-end.ok`, everyField],
  ...examples.map(([file, { metadata, spec }]) => [file, metadata.name, spec] as const),
];

/** Without what tells the operator which objects it made. */
function unmarked({ metadata, ...object }: Child): Child {
  const {
    ownerReferences: _owner,
    labels: { 'reconstruct.dev/controller': _label, ...labels },
    ...rest
  } = metadata;
  return { ...object, metadata: { ...rest, labels } };
}

describe('cdk8s synth and the operator make the same objects', () => {
  test.each(rows)('of %s', async (_, name, spec) => {
    const byOperator = await Site.fresh(givenControlPlane(), 'operator');
    await byOperator.bring(name, spec);
    const bySynth = await Site.fresh(givenControlPlane(), 'synth');
    const chart = new Chart(new App(), 'chart', { namespace: bySynth.namespace });
    // `cdk8s synth` refuses a name that the objects cannot have as it is.
    chart.node.setContext('reconstruct.dev/resource', name);
    new Algorithm(chart, name, spec);

    const synthesized = (await appliedOn(bySynth.controlPlane, chart.toJson())).map((object) =>
      comparable(object as never),
    );
    const operated = Object.values(await byOperator.children()).map(unmarked);
    const inOrder = (objects: readonly Child[]) => objects.toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
    expect(inOrder(operated)).toEqual(inOrder(synthesized));
  });
});
