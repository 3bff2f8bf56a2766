import { allKinds, type Kind } from '../../crds/index.js';
import type { ObjectKind } from '../../operator/runtime/kubernetes/kinds.js';
import type { Completion } from './protocol.js';

/** The kinds of this package, each by its plural. */
export function kindCompletions(): readonly Completion[] {
  return allKinds.map(({ plural, kind }) => ({ value: plural, description: kind }));
}

/** The kind that a user names as for kubectl, in any case. Undefined if it is not of this package. */
export function kindTyped(name: string): ObjectKind | undefined {
  const wanted = name.toLowerCase();
  const found = allKinds.find((one) => namesOf(one).some((is) => wanted === is || wanted === `${is}.${one.group}`));
  if (!found) return undefined;
  const { group, kind, plural, scope, versions } = found;
  const [version] = versions.filter(({ storage }) => storage);
  return { group, version: version?.name ?? '', kind, plural, namespaced: scope === 'Namespaced' };
}

function namesOf({ kind, plural, singular, shortNames = [] }: Kind): readonly string[] {
  return [kind.toLowerCase(), plural, ...(singular === undefined ? [] : [singular]), ...shortNames];
}
