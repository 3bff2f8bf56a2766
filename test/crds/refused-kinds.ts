import { defineKind, integer, type KindDefinition, object, string, type VersionDefinition } from '../../crds/index.js';
import { type Refusal, thing } from './given-kind.js';

const version = (change: Partial<VersionDefinition>) => () => defineKind(thing({}, change));
const kind = (change: Partial<KindDefinition>) => () => defineKind(thing({}, {}, change));
const column = (jsonPath: string, type: 'integer' | 'string' = 'string') =>
  version({ columns: [{ name: 'It', type, jsonPath }] });
const counts = {
  spec: object('What is wanted.', { count: integer('How many.', { default: 1 }), name: string('Who.') }),
  status: object('What is.', { count: integer('How many.', { optional: true }) }, { optional: true }),
};
const scaled = (specReplicasPath: string, statusReplicasPath: string, labelSelectorPath?: string) =>
  version({
    ...counts,
    scale: { specReplicasPath, statusReplicasPath, ...(labelSelectorPath && { labelSelectorPath }) },
  });
const v = (name: string, change: Partial<VersionDefinition> = {}) =>
  ({ ...thing({}).versions[0], name, ...change }) as VersionDefinition;
const KIND = 'things.example.com';

/** Names, versions, columns and the scale subresource. */
export const KINDS: readonly Refusal[] = [
  ['things.example', 'must be a domain with a dot', 'server too', kind({ group: 'example' })],
  ['things.apps.k8s.io', 'must not belong to Kubernetes', 'server too', kind({ group: 'apps.k8s.io' })],
  [KIND, 'kind thing must start with a capital', 'ours', kind({ kind: 'thing' })],
  [KIND, 'name "t_h" must be a DNS label', 'server too', kind({ shortNames: ['t_h'] })],
  [KIND, 'name "A" must be a DNS label', 'server too', kind({ categories: ['A'] })],
  [KIND, 'name things must be used only once', 'ours', kind({ shortNames: ['things'] })],
  [
    KIND,
    'version v1 must be listed only once',
    'server too',
    kind({ versions: [v('v1'), v('v1', { storage: false })] }),
  ],
  [KIND, 'exactly one version must be stored, got 2 (v1, v2)', 'server too', kind({ versions: [v('v1'), v('v2')] })],
  [
    KIND,
    'exactly one version must be stored, got 0 ()',
    'server too',
    kind({ versions: [v('v1', { storage: false })] }),
  ],
  [KIND, 'at least one version must be served', 'ours', version({ served: false })],
  [
    KIND,
    'version v1beta1 must have the same schema as the stored version v1, because nothing converts between them',
    'ours',
    kind({ versions: [v('v1'), v('v1beta1', { storage: false, spec: counts.spec })] }),
  ],
  [`${KIND} V1 name`, 'must be a DNS label', 'server too', version({ name: 'V1' })],
  [`${KIND} v1 deprecated`, 'must be 1 to 256 printable', 'server too', version({ deprecated: 'x'.repeat(257) })],
  [`${KIND} v1 deprecated`, 'must be 1 to 256 printable', 'server too', version({ deprecated: 'a\nb' })],
  [`${KIND} v1 column It`, 'spec.it must be the path of a field', 'server too', column('spec.it')],
  [`${KIND} v1 column It`, '.spec.it must be the path of a field', 'ours', column('.spec.it')],
  [`${KIND} v1 column It`, '.metadata.nowhere must be the path of a field', 'ours', column('.metadata.nowhere')],
  [
    `${KIND} v1 column It`,
    'type integer must fit the field .spec.name; use string or date',
    'ours',
    version({ ...counts, columns: [{ name: 'It', type: 'integer', jsonPath: '.spec.name' }] }),
  ],
  [
    `${KIND} v1 scale`,
    'specReplicasPath .status.count must be the path of',
    'server too',
    scaled('.status.count', '.status.count'),
  ],
  [
    `${KIND} v1 scale`,
    'specReplicasPath .spec.name must be the path of',
    'ours',
    scaled('.spec.name', '.status.count'),
  ],
  [
    `${KIND} v1 scale`,
    'statusReplicasPath .spec.count must be the path of',
    'server too',
    scaled('.spec.count', '.spec.count'),
  ],
  [
    `${KIND} v1 scale`,
    'labelSelectorPath .metadata.name must be the path of',
    'server too',
    scaled('.spec.count', '.status.count', '.metadata.name'),
  ],
];
