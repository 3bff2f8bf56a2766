import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kafkaClusterSpec, withDefaults } from '../../crds/index.js';
import { ownedPods } from '../../operator/controllers/configured.js';
import { systems } from '../../operator/controllers/index.js';
import { etcdImage, kafkaImage, proxyImage } from '../../src/index.js';
import { operatorImage } from '../../src/install/pods.js';

const page = readFileSync('docs/operator/images.md', 'utf8');
const storage = { size: '1Gi' };
const { version } = withDefaults(kafkaClusterSpec, { brokers: { storage } });
const images = [operatorImage, proxyImage, etcdImage({}), kafkaImage({ version }), kafkaImage({ version: '4.3' })];

test('the page on registries has each image that is not in a spec', () => {
  const repositories = [...systems.flatMap(({ pods }) => [...pods]), ...ownedPods].flatMap((one) =>
    'image' in one && one.image ? [`\`${one.image.repository}:`] : [],
  );
  expect(repositories.length).toBeGreaterThan(2);
  const named = [...repositories, ...images.map((image) => image.replace(/^.*\//, ''))];
  expect(named.filter((image) => !page.includes(image))).toEqual([]);
});
