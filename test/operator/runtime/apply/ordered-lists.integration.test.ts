import { expect, test } from 'vitest';
import { Deployment } from '../../../../operator/runtime/kubernetes/kinds.js';
import { givenRealHouse, somebody } from '../given/real-house.js';
import { add } from '../given/widgets.js';

const labels = { app: 'ordered' };
const named = (...names: readonly string[]) => names.map((name) => ({ name }));
const env = [...named('HOST'), { name: 'URL', value: 'http://$(HOST)' }];
const initContainers = named('fetch', 'migrate').map((one) => ({ ...one, image: 'init:1' }));

const house = givenRealHouse({
  controller: () => ({
    owns: [Deployment],
    conditions: {},
    assess: () => ({ conditions: {} }),
    desire: (scope, { resource }) => {
      const containers = [{ name: 'main', image: 'main:1', env }];
      add(scope, 'apps/v1', 'Deployment', resource.metadata.name, {
        spec: {
          ...{ replicas: 0, selector: { matchLabels: labels } },
          template: { metadata: { labels }, spec: { containers, initContainers } },
        },
      });
    },
  }),
});

const pod = '/spec/template/spec';
const add1 = { name: 'own', image: 'init:1' };

/** The names of the items, as they follow one another. */
async function order(name: string): Promise<string> {
  const { initContainers, containers } = (await house().read(Deployment, name))?.['spec']?.template.spec ?? {};
  const names = (items: readonly { readonly name: string }[] = []) => items.map((item) => item.name).join(' ');
  return `${names(initContainers)}, ${names(containers?.[0].env)}`;
}

test.each([
  {
    what: 'the first init container is taken away',
    edits: [{ op: 'remove' as const, path: `${pod}/initContainers/0` }],
  },
  { what: 'the first variable is', edits: [{ op: 'remove' as const, path: `${pod}/containers/0/env/0` }] },
  {
    what: 'init containers are exchanged',
    edits: [{ op: 'replace' as const, path: `${pod}/initContainers`, value: initContainers.toReversed() }],
  },
  {
    what: 'another one is put before them',
    edits: [{ op: 'add' as const, path: `${pod}/initContainers/0`, value: add1 }],
    keeps: 'own fetch migrate, HOST URL',
  },
])(
  'R18 what is wanted in an order stays in it when $what',
  async ({ what, edits, keeps = 'fetch migrate, HOST URL' }) => {
    const name = what.replaceAll(' ', '-');
    await house().apply(name, {});
    await expect.poll(() => order(name), { timeout: 120_000 }).toBe('fetch migrate, HOST URL');
    const before = (await house().read(Deployment, name))?.metadata.resourceVersion;
    await house().cluster.patch(Deployment, { namespace: house().namespace, name }, edits, somebody);
    await expect.poll(() => order(name), { timeout: 120_000 }).toBe(keeps);
    expect((await house().read(Deployment, name))?.metadata.resourceVersion).not.toBe(before);
  },
);
