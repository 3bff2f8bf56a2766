import { App, Chart } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import { AlgorithmTrial, type AlgorithmTrialProps, type Front } from '../../../src/index.js';
import { only, operatorScope, type Rendered, renderedAlgorithm } from '../given-rendered.js';

const gateway = { name: 'reconstruct-gateway' };
const stable = { image: 'server:1' };
const variant = (name: string, header: Readonly<Record<string, string>>) => ({ name, match: { header } });
const variants = [variant('b', { 'x-variant': 'b', 'x-beta': 'yes' }), variant('c', { 'x-variant': 'c' })];

function rendered(name: string, props: Partial<AlgorithmTrialProps> = {}): Rendered[] {
  return renderedIn(new Chart(new App(), 'chart', { namespace: 'team' }), name, props);
}

function renderedIn(chart: Chart, name: string, props: Partial<AlgorithmTrialProps>): Rendered[] {
  new AlgorithmTrial(chart, name, { stable, gateway, ...props });
  return chart.toJson();
}

const trialOf = (weight: number, spec = {}) => ({ spec: { image: 'server:2', ...spec }, replicas: 2, weight });
const rules = (objects: readonly Rendered[]) => only(objects, 'HTTPRoute')['spec'].rules;
const named = (objects: readonly Rendered[], kind: string, name: string) =>
  only(
    objects.filter(({ metadata }) => metadata.name === name),
    kind,
  );

describe('line 2: the requests of an Algorithm', () => {
  test('go to the stable version alone without a trial', () => {
    const objects = rendered('reco');
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'Service reco-stable',
      'HTTPRoute reco',
    ]);
    expect(rules(objects)).toEqual([{ backendRefs: [{ name: 'reco-stable', port: 80 }] }]);
  });

  test.each([0, 1, 20, 50, 99, 100])('are split with weight %d', (weight) => {
    expect(rules(rendered('reco', { trial: trialOf(weight) }))).toEqual([
      {
        backendRefs: [
          { name: 'reco-stable', port: 80, weight: 100 - weight },
          { name: 'reco-trial', port: 80, weight },
        ],
      },
    ]);
  });

  test('come in at the Gateway by every name that its Service has, and by its own', () => {
    const { spec } = only(
      rendered('reco', { stable: { ...stable, host: 'reco.example.com', lifecycle: {} } }),
      'HTTPRoute',
    );
    expect(spec.parentRefs).toEqual([gateway]);
    expect(spec.hostnames).toEqual([
      'reco',
      'reco.team',
      'reco.team.svc',
      'reco.team.svc.cluster.local',
      'reco.example.com',
    ]);
  });

  test('do not come in by a short name where the Gateway is that of others too', () => {
    const shared = { name: 'shared', namespace: 'gateways' };
    const { spec } = only(rendered('reco', { gateway: shared }), 'HTTPRoute');
    expect(spec.parentRefs).toEqual([shared]);
    expect(spec.hostnames).toEqual(['reco.team', 'reco.team.svc', 'reco.team.svc.cluster.local']);
    const own = only(rendered('reco', { gateway: { ...gateway, namespace: 'team' } }), 'HTTPRoute');
    expect(own['spec'].hostnames).toContain('reco');
  });
});

describe('line 8: the requests of a variant', () => {
  const withVariants = { ...stable, lifecycle: { variants } };

  test('go to the version on trial, each by a Service of its own, before all others are split', () => {
    const objects = rendered('reco', { stable: withVariants, trial: trialOf(20) });
    const [b, c, all] = rules(objects);
    expect(b).toEqual({
      matches: [
        {
          path: { type: 'PathPrefix', value: '/' },
          headers: [
            { name: 'x-beta', value: 'yes' },
            { name: 'x-variant', value: 'b' },
          ],
        },
      ],
      backendRefs: [{ name: 'reco-trial-b', port: 80 }],
    });
    expect(c.backendRefs).toEqual([{ name: 'reco-trial-c', port: 80 }]);
    expect(all.matches).toBeUndefined();
    const { selector } = named(objects, 'Service', 'reco-trial')['spec'];
    expect(named(objects, 'Service', 'reco-trial-b')['spec'].selector).toEqual(selector);
  });

  test.each([
    ['nobody is on trial', undefined],
    ['the version on trial is to get none', trialOf(0)],
  ])('are split like all others when %s', (_, trial) => {
    expect(rules(rendered('reco', { stable: withVariants, trial }))).toHaveLength(1);
  });
});

describe('line 2: a version on trial', () => {
  const spec = { config: { depth: '4' }, metrics: { port: 9100 } };
  const objects = rendered('reco', { trial: trialOf(20, spec) });

  test('equals the Algorithm under another name and other labels', () => {
    const ofItself = renderedAlgorithm('reco-trial', { ...trialOf(20, spec).spec, replicas: 2 });
    const kinds = ['ConfigMap', 'Deployment', 'PodDisruptionBudget'];
    for (const kind of kinds) expect(only(objects, kind)).toEqual(only(ofItself, kind));
    expect(named(objects, 'Service', 'reco-trial')).toEqual(only(ofItself, 'Service'));
  });

  test('has pods that no Service of the stable version selects', () => {
    const stableSelector = named(objects, 'Service', 'reco-stable')['spec'].selector;
    expect(stableSelector).toEqual(only(renderedAlgorithm('reco'), 'Deployment')['spec'].selector.matchLabels);
    expect(only(objects, 'Deployment')['spec'].template.metadata.labels).not.toMatchObject(stableSelector);
  });

  test.each([
    [2, 2, 5],
    [9, 5, 5],
  ])('asked for %d replicas leaves them to an autoscaler, %d at the least, of %d', (replicas, least, most) => {
    const scaling = { minReplicas: 1, maxReplicas: most };
    const scaled = rendered('reco', { trial: { ...trialOf(20, { scaling }), replicas } });
    expect(only(scaled, 'Deployment')['spec'].replicas).toBeUndefined();
    const { minReplicas, maxReplicas, scaleTargetRef } = only(scaled, 'HorizontalPodAutoscaler')['spec'];
    expect({ minReplicas, maxReplicas }).toEqual({ minReplicas: least, maxReplicas: most });
    expect(scaleTargetRef.name).toBe('reco-trial');
  });

  test('has a name of its own where the Algorithm has none that is a label', () => {
    const objects = renderedIn(operatorScope('fraud.v3'), 'fraud.v3', { trial: trialOf(20) });
    const names = objects.map(({ metadata }) => metadata.name);
    expect(names).toContainEqual(expect.stringMatching(/^fraud-v3-trial-x[0-9a-f]{12}$/));
    expect(names).toContainEqual(expect.stringMatching(/^fraud-v3-stable-x[0-9a-f]{12}$/));
  });
});

describe('the Service of an Algorithm behind a gateway', () => {
  const fronted = (front: Front) => only(renderedAlgorithm('reco', { metrics: { port: 9100 }, front }), 'Service');

  test('keeps its name and leads to the proxies, without the metrics of the pods', () => {
    const { metadata, spec } = fronted({ gateway: 'reconstruct-gateway' });
    expect(metadata.name).toBe('reco');
    expect(spec.selector).toEqual({ 'gateway.networking.k8s.io/gateway-name': 'reconstruct-gateway' });
    expect(spec.ports).toEqual([{ name: 'http', port: 80, protocol: 'TCP', targetPort: 'http' }]);
  });

  test('leads to the port that proxies of another kind have', () => {
    expect(fronted({ gateway: 'own', port: 8080 })['spec'].ports[0].targetPort).toBe(8080);
  });

  test('line 12: leads to the proxy of the node that asks, where each has one', () => {
    expect(fronted({ gateway: 'g', onEachNode: true })['spec'].trafficDistribution).toBe('PreferSameNode');
    expect(fronted({ gateway: 'g' })['spec']).not.toHaveProperty('trafficDistribution');
  });

  test('changes nothing else of the Algorithm', () => {
    const others = (objects: readonly Rendered[]) => objects.filter(({ kind }) => kind !== 'Service');
    expect(others(renderedAlgorithm('reco', { front: { gateway: 'g' } }))).toEqual(others(renderedAlgorithm('reco')));
  });
});
