import { readFileSync } from 'node:fs';
import { App, Chart, Yaml } from 'cdk8s';
import { expect, test } from 'vitest';
import { databaseSpec, withDefaults } from '../../crds/index.js';
import { parseYaml } from '../../operator/yaml/parse-yaml.js';
import { DatabaseClaim, DatabasePod, DatabaseSharedObjects, instanceImage } from '../../src/index.js';

test('the Database becomes what its golden file says, and its first instance', async () => {
  const { metadata, spec: written } = parseYaml(readFileSync('examples/06-database/resource.yaml', 'utf8'));
  const { name } = metadata;
  const spec = withDefaults(databaseSpec, written);
  const chart = new Chart(new App(), 'chart', { namespace: 'default' });
  new DatabaseSharedObjects(chart, 'database', { ...spec, name });
  new DatabaseClaim(chart, 'claim', { name, instance: `${name}-1`, storage: spec.storage });
  new DatabasePod(chart, 'pod', { name, instance: `${name}-1`, spec, image: instanceImage(spec) });
  await expect(Yaml.stringify(...chart.toJson())).toMatchFileSnapshot('../../examples/06-database/becomes.yaml');
});
