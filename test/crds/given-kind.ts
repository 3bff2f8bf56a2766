import { type Fields, type Kind, type KindDefinition, object, type VersionDefinition } from '../../crds/index.js';

/** An invalid kind: the path, the problem, whether Kubernetes itself refuses it, and the kind. */
export type Refusal = readonly [where: string, problem: string, server: 'server too' | 'ours', kind: () => Kind];

/** The kind `things.example.com` with one version, with the given changes. */
export function thing(
  spec: Fields,
  version: Partial<VersionDefinition> = {},
  kind: Partial<KindDefinition> = {},
): KindDefinition {
  const v1 = {
    name: 'v1',
    served: true,
    storage: true,
    description: 'A thing.',
    spec: object('What is wanted.', spec),
  };
  return { group: 'example.com', kind: 'Thing', scope: 'Namespaced', versions: [{ ...v1, ...version }], ...kind };
}
