import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import type { AlgorithmSpecInput } from '../../imports/index.js';
import type { PolicyRule } from '../../operator/index.js';
import { parseYamlDocuments } from '../../operator/yaml/parse-yaml.js';
import { givenControlPlane } from '../given/control-plane.js';
import { partsOf } from '../systems/parts.js';
import { quiet } from './given/audit.js';
import { forbiddenImage, forbidImages } from './given/image-policy.js';
import { deniedOf, givenOperator, operatorUser } from './given/operator.js';
import { childKinds, Site } from './given/site.js';
import type { UnusedRights } from './given/unused-rights.js';

const operator = givenOperator(givenControlPlane);

/** Rights that this test alone does not see used, each with why it is granted all the same. */
const unused: UnusedRights = Object.assign(
  {},
  ...(await partsOf<UnusedRights>('test/acceptance/rights/<system>.ts', 'unused')).values(),
);

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
    expect(
      rights.filter((one) => !seen.has(one) && !Object.hasOwn(unused, one)),
      'permissions without a use here: state the reason for each in test/acceptance/rights/<system>.ts',
    ).toEqual([]);
    expect(
      Object.keys(unused).filter((one) => !rights.includes(one)),
      'reasons for permissions that the operator does not have: remove them from test/acceptance/rights/<system>.ts',
    ).toEqual([]);
  });

  test('R33 † are enough: nothing that the operator asked for was denied', async () => {
    expect(await deniedOf(givenControlPlane())).toEqual([]);
    expect((await used()).size).toBeGreaterThan(0);
  });
});
