import { beforeAll, describe, expect, test } from 'vitest';
import { CertificateAuthority } from '../../../operator/certificates/authority.js';
import { certificateHosts, type DatabaseSpecInput, type GeneratedSecrets } from '../../../src/index.js';
import { freshNamespace, givenControlPlane } from '../../given/control-plane.js';
import { appliedOn } from '../given-applied.js';
import { bucket, renderedWhole } from './given-database.js';

const cases: readonly (readonly [what: string, input: Partial<DatabaseSpecInput>])[] = [
  ['nothing but storage and backups', {}],
  [
    'a bucket, init SQL and every option',
    {
      backup: bucket,
      replicas: 5,
      storage: { size: '2048Mi', storageClassName: 'fast' },
      resources: { requests: { cpu: 1 }, limits: { cpu: '2000m', memory: '1024Mi' } },
      placement: { topologyKey: 'rack', spread: 'Required' },
      bootstrap: { initSql: { configMapRef: { name: 'first' } } },
    },
  ],
  ['no backups', { backup: undefined, deletionPolicy: 'Retain' }],
];

/** In a namespace that admits restricted Pods alone: it takes what has to be, or says what is wrong. */
async function restrictedNamespace(): Promise<string> {
  const controlPlane = givenControlPlane();
  const namespace = await freshNamespace(controlPlane);
  await controlPlane.kubectl(['label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted']);
  return namespace;
}

/** The API server warns of keys that are none. */
let certified: GeneratedSecrets['certified'];
beforeAll(async () => {
  const authority = await CertificateAuthority.create(1);
  const server = await authority.issue({ commonName: 'orders', hosts: certificateHosts('orders', 'shop') });
  certified = { authority: authority.own, server };
});

describe('the objects of a Database', () => {
  test.each(cases)('with %s are stored as they are rendered', async (_what, input) => {
    const objects = renderedWhole(input, { namespace: await restrictedNamespace(), certified });
    const stored = await appliedOn(givenControlPlane(), objects);
    expect(stored).toMatchObject(objects);
  });

  test('are not written again by a second apply', async () => {
    const objects = renderedWhole({}, { namespace: await restrictedNamespace(), certified });
    const versions = async () =>
      (await appliedOn(givenControlPlane(), objects)).map(({ metadata }) => metadata.generation);
    expect(await versions()).toEqual(await versions());
  });
});
