import { readFileSync } from 'node:fs';
import { App, Chart, Yaml } from 'cdk8s';
import { expect, it } from 'vitest';
import { trainingJobSpec, withDefaults } from '../../crds/index.js';
import { parseYaml } from '../../operator/yaml/parse-yaml.js';
import { TrainingClaim, TrainingSharedObjects, TrainingWorkerPod } from '../../src/index.js';

const { metadata, spec: input } = parseYaml(readFileSync('examples/13-training/resource.yaml', 'utf8'));

/** The objects of the job while its workers wait for room, without the token, which is drawn. */
function objects() {
  const { name, namespace } = metadata;
  const spec = withDefaults(trainingJobSpec, input);
  const chart = new Chart(new App(), 'training', { namespace });
  new TrainingSharedObjects(chart, name, input);
  new TrainingClaim(chart, 'claim', { name, size: '1Gi' });
  for (const index of [0, 1, 2])
    new TrainingWorkerPod(chart, `worker-${index}`, {
      ...{ name, uid: '00000000-0000-0000-0000-000000000000', spec, worker: { index, attempt: 0 }, gated: true },
    });
  return chart.toJson();
}

it('the job becomes the objects of its golden file', async () => {
  await expect(Yaml.stringify(...objects())).toMatchFileSnapshot('../../examples/13-training/becomes.yaml');
});
