import type { Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { algorithmControllers } from '../../../operator/index.js';
import { GatewayProxies, OperatorInstall } from '../../../src/index.js';
import { imageVersion } from '../../../src/workload/identity.js';
import { rendered, renderedDatabase } from '../database/given-database.js';
import { type Rendered, renderedAlgorithm } from '../given-rendered.js';

test.each([
  ['2.1.4', 'registry.example.com:5000/algo/reco:2.1.4'],
  ['v3.6.7', 'traefik:v3.6.7'],
  ['1.0', 'server:1.0@sha256:0123456789abcdef'],
  [undefined, 'registry.example.com:5000/server'],
  [undefined, 'server@sha256:0123456789abcdef'],
  [undefined, `server:${'1'.repeat(64)}`],
  [undefined, 'server:_1'],
  [undefined, undefined],
])('the version %s is that of the image %s', (version, image) => {
  expect(imageVersion(image)).toBe(version);
});

describe('the labels of the tool and of the version', () => {
  const operator = rendered((chart: Chart) => {
    new OperatorInstall(chart, 'operator', {
      controllers: algorithmControllers,
      image: 'operator:0.2.0',
      installApi: false,
    });
  });
  const proxies = rendered((chart) => {
    new GatewayProxies(chart, 'proxies', { image: 'traefik:v3.6.7' });
  });

  test.each<[string, manager: string, version: string | undefined, objects: readonly Rendered[]]>([
    ['a Database', 'reconstruct', '15', renderedDatabase().filter((one) => !isOfPatroni(one))],
    ['the proxies', 'reconstruct', 'v3.6.7', proxies],
    ['an operator', 'cdk8s', '0.2.0', operator],
    ['the Deployment of an Algorithm', 'reconstruct', '1', renderedAlgorithm('reco').filter(isDeployment)],
    [
      'the other objects of an Algorithm',
      'reconstruct',
      undefined,
      renderedAlgorithm('reco').filter((one) => !isDeployment(one)),
    ],
  ])('of %s are %s and %s', (_, manager, version, objects) => {
    expect(objects.length).toBeGreaterThan(0);
    for (const { metadata } of objects) {
      expect(metadata.labels?.['app.kubernetes.io/managed-by']).toBe(manager);
      expect(metadata.labels?.['app.kubernetes.io/version']).toBe(version);
    }
  });

  test.each([
    ['an Algorithm', renderedAlgorithm('reco')],
    ['a Database', renderedDatabase()],
    ['the proxies', proxies],
    ['an operator', operator],
  ])('are in no Pod template and no selector of %s', (_, objects) => {
    expect(JSON.stringify(objects.map((one) => one['spec'] ?? {}))).not.toContain('app.kubernetes.io/version');
  });
});

/** Patroni creates the ConfigMaps with its state too, with the labels by which it finds them. */
function isOfPatroni({ metadata }: Rendered): boolean {
  return metadata.labels?.['cluster-name'] !== undefined;
}

function isDeployment({ kind }: Rendered): boolean {
  return kind === 'Deployment';
}
