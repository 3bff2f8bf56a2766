import { describe, expect, it } from 'vitest';
import { controllersIn } from '../../../cli/controllers/loaded-controllers.js';
import { discoveredKinds } from '../../../cli/status/discovered-kinds.js';
import { kindNamed, kindsShown } from '../../../cli/status/known-kinds.js';
import type { CustomResourceDefinition } from '../../../crds/index.js';
import { apiVersionOf } from '../../../operator/runtime/kubernetes/kinds.js';
import { widgetController } from '../../operator/runtime/given/widgets.js';
import { get } from './given-discovery.js';

const ours = await controllersIn(undefined);
const authors = { controllers: [widgetController()], definitions: [] };
const widgetCrd = { spec: { group: 'example.org', names: { kind: 'Widget' } } } as CustomResourceDefinition;

describe('a kind is found', () => {
  it.each([
    ['by its kind', 'Database', 'reconstruct.dev/v1alpha1 Database'],
    ['in lower case', 'kafkacluster', 'reconstruct.dev/v1alpha1 KafkaCluster'],
    ['by its plural', 'kafkatopics', 'reconstruct.dev/v1alpha1 KafkaTopic'],
    ['by its short name', 'algo', 'ai.alien6.io/v1 Algorithm'],
    ['by its short name in any case', 'DB', 'reconstruct.dev/v1alpha1 Database'],
    ['by its short name, of another operator', 'wi', 'example.org/v1 Widget'],
    ['by its group', 'certificates.cert-manager.io', 'cert-manager.io/v1 Certificate'],
    ['by its version and group', 'certificates.v1.cert-manager.io', 'cert-manager.io/v1 Certificate'],
    ['here before elsewhere', 'certificate', 'reconstruct.dev/v1alpha1 Certificate'],
    ['in another version than the preferred one', 'gadget', 'example.org/v1beta1 Gadget'],
    ['of Kubernetes', 'deploy', 'apps/v1 Deployment'],
    ['of Kubernetes, without a group', 'po', 'v1 Pod'],
  ])('%s', async (_, name, found) => {
    const { kind } = await kindNamed(name, ours, get);
    expect(`${apiVersionOf(kind)} ${kind.kind}`).toBe(found);
  });

  it('with its controllers, which the module of an author gives', async () => {
    expect(await kindNamed('wi', ours, get)).toMatchObject({ controllers: [] });
    const named = await kindNamed('wi', authors, get);
    expect(named.controllers.map(({ name }) => name)).toEqual(['widget']);
    expect(named.vocabulary?.conditions).toHaveProperty('Sized');
  });

  it('with all of its controllers, the primary one first', async () => {
    const { controllers } = await kindNamed('certificate', ours, get);
    expect(controllers.map(({ name }) => name)).toEqual(['certificate', 'certificate-challenges']);
  });

  it('or an error says which there are, and what did not answer', async () => {
    await expect(kindNamed('widgit', authors, get)).rejects.toThrow(
      'no kind widgit in the cluster or among the controllers; check its name; there are controllers for Widget.example.org; kinds of metrics.k8s.io/v1 are not shown: GET /apis/metrics.k8s.io/v1: the server is currently unable to handle the request',
    );
  });
});

describe('the kinds of all operators', () => {
  const shown = async (labelled: readonly CustomResourceDefinition[], loaded = { ...ours }) =>
    kindsShown(await discoveredKinds(get, []), labelled, loaded).map(({ kind }) => `${kind.kind}.${kind.group}`);
  const category = ['Certificate.reconstruct.dev', 'ClusterIssuer.reconstruct.dev'];

  it.each([
    { found: category, when: 'no other operator is installed', labelled: [], loaded: ours },
    {
      found: ['Widget.example.org', ...category],
      when: 'an installation labelled its CRD',
      labelled: [widgetCrd],
      loaded: ours,
    },
    {
      found: ['Widget.example.org', ...category],
      when: 'the module of an author has its controller',
      labelled: [],
      loaded: authors,
    },
  ])('are $found when $when', async ({ found, labelled, loaded }) => {
    expect(await shown(labelled, loaded)).toEqual(found);
  });

  it('leave out a kind whose status belongs to others', async () => {
    const controllers = [widgetController({ reportsTo: 'events' })];
    expect(await shown([], { controllers, definitions: [] })).toEqual(category);
  });
});
