import { expect, test } from 'vitest';
import { servedVersions } from '../../../operator/cluster/discovery.js';
import { ApiError } from '../../../operator/runtime/kubernetes/errors.js';
import { ConfigMap } from '../../../operator/runtime/kubernetes/kinds.js';
import { widgetKind } from '../runtime/given/widgets.js';

const away = new ApiError('the service is away', { code: 503, reason: 'ServiceUnavailable' });
const groups = (...versions: string[]) => ({
  kind: 'APIGroupList',
  groups: [
    { name: 'apps', versions: [{ version: 'v1' }] },
    { name: 'example.org', versions: versions.map((version) => ({ version })) },
  ],
});
const others = { kind: 'APIGroupList', groups: [{ name: 'apps', versions: [{ version: 'v1' }] }] };
const resources = (...names: string[]) => ({ kind: 'APIResourceList', resources: names.map((name) => ({ name })) });

type Documents = Readonly<Record<string, unknown>>;

/** A server that has these documents, and answers 404 to all else. */
const having = (documents: Documents) => async (path: string) => {
  const document = documents[path];
  if (document instanceof Error) throw document;
  if (document === undefined) throw new ApiError(`GET ${path}: not found`, { code: 404, reason: 'NotFound' });
  return document;
};

test.each([
  {
    versions: ['v2'],
    when: 'another version has it',
    has: { '/apis': groups('v2'), '/apis/example.org/v2': resources('widgets') },
  },
  {
    versions: ['v1', 'v2'],
    when: 'two versions have it',
    has: {
      '/apis': groups('v1', 'v2'),
      '/apis/example.org/v1': resources('widgets'),
      '/apis/example.org/v2': resources('widgets'),
    },
  },
  {
    versions: [],
    when: 'no version has it',
    has: { '/apis': groups('v2'), '/apis/example.org/v2': resources('gadgets', 'widgets/status') },
  },
  { versions: [], when: 'there is no such group', has: { '/apis': others } },
] as { versions: string[]; when: string; has: Documents }[])(
  'R22 a kind is served in $versions when $when',
  async ({ versions, has }) => {
    expect(await servedVersions(widgetKind, having(has))).toEqual(versions);
  },
);

test('R22 a kind without a group is looked for among those', async () => {
  const has = { '/api': { kind: 'APIVersions', versions: ['v1'] }, '/api/v1': resources('configmaps') };
  expect(await servedVersions(ConfigMap, having(has))).toEqual(['v1']);
});

test.each([
  { reason: 'NotFound', when: 'nothing is found', has: {} },
  {
    reason: 'NotFound',
    when: 'a version of the group is not found',
    has: { '/apis': groups('v1', 'v2'), '/apis/example.org/v1': resources() },
  },
  {
    reason: 'ServiceUnavailable',
    when: 'a version of the group is away',
    has: { '/apis': groups('v2'), '/apis/example.org/v2': away },
  },
  { reason: 'NoAnswer', when: 'a proxy answers the list of groups', has: { '/apis': { kind: 'Status', groups: [] } } },
  {
    reason: 'NoAnswer',
    when: 'a proxy answers the list of resources',
    has: { '/apis': groups('v2'), '/apis/example.org/v2': {} },
  },
] as { reason: string; when: string; has: Documents }[])(
  'R22 that a kind is gone is not proved when $when',
  async ({ reason, has }) => {
    await expect(servedVersions(widgetKind, having(has))).rejects.toMatchObject({ reason });
  },
);
