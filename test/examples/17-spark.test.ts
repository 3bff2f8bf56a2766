import { readFileSync } from 'node:fs';
import { App, Chart, Yaml } from 'cdk8s';
import { controllerContract, type GivenResource } from 'cdk8s-reconstruct/testing';
import { describe, expect, it } from 'vitest';
import { report } from '../../examples/17-spark/report.js';
import { parseYaml } from '../../operator/yaml/parse-yaml.js';
import { SparkAttemptObjects, SparkSharedObjects } from '../../src/index.js';

const { metadata, spec } = parseYaml(readFileSync('examples/17-spark/resource.yaml', 'utf8'));

/** The objects of the first attempt, without the Secret, which is drawn. */
function objects() {
  const chart = new Chart(new App(), 'spark', { namespace: metadata.namespace });
  const uid = '00000000-0000-0000-0000-000000000000';
  new SparkSharedObjects(chart, 'shared', metadata);
  new SparkAttemptObjects(chart, 'attempt', { ...metadata, uid, spec, ref: { run: 1, attempt: 1 } });
  return chart.toJson();
}

it('the job becomes the objects of its golden file', async () => {
  await expect(Yaml.stringify(...objects())).toMatchFileSnapshot('../../examples/17-spark/becomes.yaml');
});

describe('a Report', () => {
  const resource: GivenResource = {
    ...{ apiVersion: 'example.com/v1', kind: 'Report' },
    metadata: { name: 'sales', namespace: 'shop' },
    spec: { image: 'registry.example.com/report:1.0.0', day: '2030-01-01' },
  };
  const given = { resource, edited: { image: 'registry.example.com/report:1.0.0', day: '2030-01-02' } };
  for (const { name, holds } of controllerContract(report, given)) it(name, holds);
});
