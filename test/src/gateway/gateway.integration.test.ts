import { App, Chart } from 'cdk8s';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ClusterAccess } from '../../../operator/testing/index.js';
import { gatewayClass } from '../../../src/gateway/gateway-class.js';
import { AlgorithmTrial, GatewayProxies, NamespaceGateway } from '../../../src/index.js';
import { freshNamespace, givenGatewayControlPlane } from '../../given/control-plane.js';
import { appliedOn } from '../given-applied.js';
import { only, type Rendered } from '../given-rendered.js';

/** The control plane of a worker must not have the Gateway API, because other tests expect its absence. */
let controlPlane: ClusterAccess;
beforeAll(async () => {
  controlPlane = await givenGatewayControlPlane();
});

function rendered(namespace: string, build: (chart: Chart) => void): Rendered[] {
  const chart = new Chart(new App(), 'chart', { namespace });
  build(chart);
  return chart.toJson();
}

const header = { 'x-variant': 'b', 'x-beta': 'yes' };
const variants = [{ name: 'b', match: { header } }];
const stable = { image: 'server:1', host: 'reco.example.com', lifecycle: { variants } };

const trials = (weight: number) => (chart: Chart) => {
  const trial = { spec: { image: 'server:2', scaling: { maxReplicas: 3 } }, replicas: 2, weight };
  new AlgorithmTrial(chart, 'reco', { stable, trial, gateway: { name: 'reconstruct-gateway' } });
};
const gateways = (chart: Chart) => {
  new NamespaceGateway(chart, 'gateway');
  new GatewayProxies(chart, 'proxies');
};

describe('on the real definitions of the Gateway API', () => {
  test.each<readonly [what: string, build: (chart: Chart) => void]>([
    ['a trial without requests', trials(0)],
    ['a trial with a share of them', trials(20)],
    ['a trial with all of them', trials(100)],
    ['a gateway and its proxies', gateways],
    [
      'an Algorithm between trials, at a gateway elsewhere',
      (chart) => new AlgorithmTrial(chart, 'fraud-v3', { stable, gateway: { name: 'shared', namespace: 'gateways' } }),
    ],
  ])('%s is stored as it is rendered, and a second apply changes nothing', async (_, build) => {
    const objects = rendered(await freshNamespace(controlPlane), build);
    const stored = await appliedOn(controlPlane, objects);
    expect(stored).toMatchObject(objects);
    const again = await appliedOn(controlPlane, objects);
    const generations = (them: readonly Rendered[]) => them.map(({ metadata }) => metadata.generation);
    expect(generations(again)).toEqual(generations(stored));
  });

  test('the class is stored as it is rendered', async () => {
    const rendering = gatewayClass({ part: 'gateway' });
    expect(await appliedOn(controlPlane, [rendering])).toMatchObject([rendering]);
  });

  test('the proxies are admitted at the Pod Security level restricted', async () => {
    const namespace = await freshNamespace(controlPlane);
    await controlPlane.kubectl(['label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted']);
    const objects = rendered(namespace, gateways);
    await appliedOn(controlPlane, [only(objects, 'ServiceAccount')]);
    const { template } = only(objects, 'Deployment')['spec'];
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      ...template,
      metadata: { ...template.metadata, name: 'it', namespace },
    };
    await expect(appliedOn(controlPlane, [pod])).resolves.toHaveLength(1);
  });

  test('the CRDs reject an invalid route', async () => {
    const route = only(rendered(await freshNamespace(controlPlane), trials(20)), 'HTTPRoute');
    const broken = { ...route, spec: { ...route['spec'], rules: [{ backendRefs: [{ name: 'reco-stable' }] }] } };
    await expect(appliedOn(controlPlane, [broken])).rejects.toThrow('Must have port');
  });
});
