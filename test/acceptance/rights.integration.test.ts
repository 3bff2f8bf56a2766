import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import type { AlgorithmSpecInput } from '../../imports/index.js';
import type { PolicyRule } from '../../operator/index.js';
import { parseYamlDocuments } from '../../operator/yaml/parse-yaml.js';
import { givenControlPlane } from '../given/control-plane.js';
import { quiet } from './given/audit.js';
import { forbiddenImage, forbidImages } from './given/image-policy.js';
import { deniedOf, givenOperator, operatorUser } from './given/operator.js';
import { childKinds, Site } from './given/site.js';

const operator = givenOperator(givenControlPlane);

/** Rights that this test alone does not see used, each with why it is granted all the same. */
const unused: Readonly<Record<string, string>> = {
  'delete configmaps': 'every Algorithm has one: the rights of all owned kinds are the same, whichever may be pruned',
  'delete services': 'as above',
  'delete deployments.apps': 'as above',
  'delete poddisruptionbudgets.policy': 'as above',
  'patch services': 'takes away fields that are wanted no longer; those of this kind are always the same',
  'patch horizontalpodautoscalers.autoscaling': 'as above',
  'patch poddisruptionbudgets.policy': 'as above',
  'get algorithms.ai.alien6.io':
    'an Algorithm reads the one whose Service has the name of its host; none here has a host',
  'list algorithms.ai.alien6.io': 'asked of a server that cannot stream what there is at the beginning of a watch',
  'list configmaps': 'as above',
  'list services': 'as above',
  'list deployments.apps': 'as above',
  'list horizontalpodautoscalers.autoscaling': 'as above',
  'list poddisruptionbudgets.policy': 'as above',
  'list controllerrevisions.apps': 'as above',
  'get controllerrevisions.apps': 'an Algorithm with a lifecycle keeps its versions in them; none here has one',
  'create controllerrevisions.apps': 'as above',
  'update controllerrevisions.apps': 'as above',
  'patch controllerrevisions.apps': 'as above',
  'delete controllerrevisions.apps': 'as above',
  ...Object.fromEntries(
    ['gateways', 'httproutes'].flatMap((plural) =>
      ['list', 'get', 'create', 'patch', 'delete'].map((verb) => [
        `${verb} ${plural}.gateway.networking.k8s.io`,
        'an Algorithm with a lifecycle has a route, in a cluster that has the Gateway API; this one has none',
      ]),
    ),
  ),
  ...Object.fromEntries(
    ['serviceaccounts', 'rolebindings.rbac.authorization.k8s.io', 'daemonsets.apps'].flatMap((kind) =>
      ['list', 'get', 'create', 'update', 'patch', 'delete'].map((verb) => [
        `${verb} ${kind}`,
        'a Gateway of class reconstruct has proxies; nobody here has one',
      ]),
    ),
  ),
  ...Object.fromEntries(
    [
      'persistentvolumeclaims',
      'pods',
      'secrets',
      'roles.rbac.authorization.k8s.io',
      'databasebackups.reconstruct.dev',
    ].flatMap((kind) =>
      ['list', 'get', 'create', 'update', 'patch', 'delete'].map((verb) => [
        `${verb} ${kind}`,
        kind === 'pods' && verb === 'list'
          ? 'who counts the requests of an Algorithm is found so'
          : 'what a Database is made of, and is called; nobody here has one',
      ]),
    ),
  ),
  ...Object.fromEntries(
    [
      'list nodes',
      'get nodes',
      'list namespaces',
      'get namespaces',
      'list databases.reconstruct.dev',
      'get databases.reconstruct.dev',
      'patch databases.reconstruct.dev',
      'patch databases.reconstruct.dev/status',
      'patch databasebackups.reconstruct.dev/status',
    ].map((right) => [right, 'as above']),
  ),
  ...Object.fromEntries(
    [
      'list secretrotations.reconstruct.dev',
      'get secretrotations.reconstruct.dev',
      'patch secretrotations.reconstruct.dev',
      'patch secretrotations.reconstruct.dev/status',
      'update secretrotations.reconstruct.dev/finalizers',
      'get statefulsets.apps',
      'patch statefulsets.apps',
      'list endpointslices.discovery.k8s.io',
    ].map((right) => [right, 'what a SecretRotation and the consumers of a Certificate need; nobody here has one']),
  ),
  'update databases.reconstruct.dev/finalizers': 'as that of Algorithms, below',
  'update databasebackups.reconstruct.dev/finalizers': 'as above',
  ...Object.fromEntries(
    [
      ...['list', 'get', 'create', 'update', 'patch', 'delete'].map((verb) => `${verb} certificates.reconstruct.dev`),
      ...['list', 'get'].flatMap((verb) =>
        ['issuers', 'clusterissuers'].map((plural) => `${verb} ${plural}.reconstruct.dev`),
      ),
      ...['list trustbundles.reconstruct.dev', 'get trustbundles.reconstruct.dev', 'list ingresses.networking.k8s.io'],
      ...['issuers', 'clusterissuers'].map((plural) => `patch ${plural}.reconstruct.dev`),
      ...['certificates', 'issuers', 'clusterissuers', 'trustbundles'].flatMap((plural) => [
        `patch ${plural}.reconstruct.dev/status`,
        `update ${plural}.reconstruct.dev/finalizers`,
      ]),
      'update ingresses.networking.k8s.io/finalizers',
    ].map((right) => [right, 'what certificates are made of; nobody here has one']),
  ),
  ...Object.fromEntries(
    ['endpointslices.discovery.k8s.io', 'ingresses.networking.k8s.io'].flatMap((kind) =>
      ['get', 'create', 'update', 'patch', 'delete'].map((verb) => [
        `${verb} ${kind}`,
        'how HTTP-01 challenges of ACME servers are answered; nobody here has one',
      ]),
    ),
  ),
  ...Object.fromEntries(
    [
      ...['kafkaclusters', 'kafkatopics', 'kafkausers'].flatMap((plural) => [
        `list ${plural}.reconstruct.dev`,
        `get ${plural}.reconstruct.dev`,
        `patch ${plural}.reconstruct.dev`,
        `patch ${plural}.reconstruct.dev/status`,
        `update ${plural}.reconstruct.dev/finalizers`,
      ]),
      ...['list', 'get', 'create', 'update', 'patch', 'delete'].map(
        (verb) => `${verb} networkpolicies.networking.k8s.io`,
      ),
      // Listeners for other networks can have them.
      ...['list', 'get', 'create', 'update', 'patch', 'delete'].map(
        (verb) => `${verb} tlsroutes.gateway.networking.k8s.io`,
      ),
      ...['create', 'update', 'delete'].map((verb) => `${verb} issuers.reconstruct.dev`),
      // Hooks before and after the restart of a broker can be Jobs.
      ...['list', 'get', 'create', 'update', 'patch', 'delete'].map((verb) => `${verb} jobs.batch`),
    ].map((right) => [right, 'what a KafkaCluster is made of, with its topics and users; nobody here has one']),
  ),
  ...Object.fromEntries(
    [
      // Quotas of its namespace, and where its volumes are.
      ...['list', 'get'].flatMap((verb) => [`${verb} resourcequotas`, `${verb} persistentvolumes`]),
      'list trainingjobs.reconstruct.dev',
      'get trainingjobs.reconstruct.dev',
      'patch trainingjobs.reconstruct.dev',
      'patch trainingjobs.reconstruct.dev/status',
      'update trainingjobs.reconstruct.dev/finalizers',
    ].map((right) => [right, 'what a TrainingJob needs; nobody here has one']),
  ),
  'get pods/log': 'follows the logs of a TrainingJob with spec.health.logRules; nobody here has one',
  'delete trainingjobs.reconstruct.dev': 'deletes a TrainingJob after spec.ttlAfterFinished; nobody here has one',
  'update httproutes.gateway.networking.k8s.io': 'as above: no route here',
  'update gateways.gateway.networking.k8s.io/finalizers': 'as that of Algorithms, below',
  'list gatewayclasses.gateway.networking.k8s.io': 'as above',
  'get gatewayclasses.gateway.networking.k8s.io': 'as above',
  'update algorithms.ai.alien6.io/finalizers':
    'asked by the admission plug-in OwnerReferencesPermissionEnforcement of who sets blockOwnerDeletion, never requested',
};

/** Every right that `dist/` grants the operator, as `verb resource.group/subresource`. */
function granted(): readonly string[] {
  const objects = parseYamlDocuments(readFileSync('dist/0001-operator.k8s.yaml', 'utf8'));
  const rules: readonly PolicyRule[] = objects.filter(({ kind }) => /Role$/.test(kind)).flatMap((role) => role.rules);
  return rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.map((verb) => right(verb, group, resource)))),
  );
}

function right(verb: string, group: string, path: string): string {
  const [resource, ...subresource] = path.split('/');
  return [`${verb} ${[resource, group].filter(Boolean).join('.')}`, ...subresource].join('/');
}

/** The rights that the operator used since it started, or rather since the audit began. */
async function used(): Promise<ReadonlySet<string>> {
  const requests = (await givenControlPlane().requests()).filter(({ user }) => user === operatorUser);
  return new Set(
    requests.map(({ verb, group, resource, subresource }) =>
      right(verb, group, subresource === '' ? resource : `${resource}/${subresource}`),
    ),
  );
}

const spec: AlgorithmSpecInput = { image: 'server:1', config: { a: 'a' }, scaling: { maxReplicas: 5 } };

describe('the rights of the operator', () => {
  test('R33 † are each used, or granted for a reason that is stated', async () => {
    const site = await Site.fresh(givenControlPlane(), 'rights');
    await forbidImages(site.controlPlane);
    await site.bring('reco', spec);
    // Names that are taken are read; a label that is gone takes an object out of the caches, and it is patched.
    for (const kind of childKinds) {
      await quiet(site.controlPlane, site.namespace, 200);
      await site.patch(kind, 'reco', { op: 'remove', path: '/metadata/labels/reconstruct.dev~1controller' });
      const label = async () => (await site.read(kind, 'reco'))?.metadata.labels?.['reconstruct.dev/controller'];
      await vi.waitFor(async () => expect(await label()).toBe('algorithm'), { timeout: 120_000 });
    }
    // The same refusal twice is one event, counted up; without scaling an autoscaler is deleted.
    for (let time = 0; time < 2; time++) {
      await site.apply('reco', { ...spec, image: forbiddenImage });
      const refused = async () => {
        const failures = (await site.algorithm('reco'))?.status?.retryCount;
        return `${await site.condition('reco', 'Ready')} ${failures}`;
      };
      await vi.waitFor(async () => expect(await refused()).toMatch(/^False ApplyRejected [3-9]/), { timeout: 120_000 });
      await site.bring('reco', { image: 'server:1' });
    }
    await operator().untilSaid('Successfully acquired lease');
    const renewed = async () => (await used()).has('patch leases.coordination.k8s.io');
    await vi.waitFor(async () => expect(await renewed()).toBe(true), { timeout: 120_000 });

    // Other tests may have run on the same server, and used what this one does not.
    const [seen, rights] = [await used(), granted()];
    expect(rights.filter((one) => !seen.has(one) && !Object.hasOwn(unused, one))).toEqual([]);
    expect(Object.keys(unused).filter((one) => !rights.includes(one))).toEqual([]);
  });

  test('R33 † are enough: nothing that the operator asked for was denied', async () => {
    expect(await deniedOf(givenControlPlane())).toEqual([]);
    expect((await used()).size).toBeGreaterThan(0);
  });
});
