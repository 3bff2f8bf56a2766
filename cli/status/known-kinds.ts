import type { CustomResourceDefinition } from '../../crds/index.js';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import { groupKindOf, type ObjectKind } from '../../operator/runtime/kubernetes/kinds.js';
import type { Loaded } from '../controllers/loaded-controllers.js';
import { kindsRun } from '../controllers/resource-controllers.js';
import { type Vocabulary, vocabularyOf } from '../reasons/vocabulary.js';
import { type DiscoveredKind, discoveredKinds, type Get } from './discovered-kinds.js';

/** A kind with what is known of it here. */
export interface KnownKind {
  readonly kind: ObjectKind;
  /** All controllers of the kind, the primary one first. Empty if their module is not given. */
  readonly controllers: readonly Controller[];
  /** Undefined without controllers. */
  readonly vocabulary?: Vocabulary | undefined;
}

/** The category of the kinds of this package. */
const category = 'reconstruct';

/**
 * The kind that a user names as for kubectl, by kind, plural, singular or short name in any case, and with its group if
 * needed, such as `db` or `certificates.reconstruct.dev`. Kinds with a controller here come before all others.
 * @throws {Error} if there is none
 */
export async function kindNamed(name: string, loaded: Loaded, get: Get): Promise<KnownKind> {
  const { controllers, definitions } = loaded;
  const primary = controllers.find(({ isPrimary, kind }) => {
    const names = definitions.find(isOf(kind))?.spec.names;
    return isPrimary && isNamed(name, kind, [names?.singular, ...(names?.shortNames ?? [])]);
  });
  if (primary) return knownKind(primary.kind, controllers);
  const notes: string[] = [];
  const found = (await discoveredKinds(get, notes)).find(({ kind, otherNames }) => isNamed(name, kind, otherNames));
  if (found) return knownKind(found.kind, controllers);
  const here = `there are controllers for ${kindsRun(controllers)}`;
  const more = notes.map((note) => `; ${note}`).join('');
  throw new Error(`no kind ${name} in the cluster or among the controllers; check its name; ${here}${more}`);
}

/**
 * The kinds of all operators that are built on this package: those with its category, those of CRDs that an
 * `OperatorInstall` labelled, and those of the controllers of a module.
 * @param labelled the CRDs with the label of an operator
 */
export function kindsShown(
  served: readonly DiscoveredKind[],
  labelled: readonly CustomResourceDefinition[],
  { controllers }: Pick<Loaded, 'controllers'>,
): readonly KnownKind[] {
  const isOwn = ({ kind, categories }: DiscoveredKind) =>
    categories.includes(category) ||
    labelled.some((crd) => isOf(kind)(crd)) ||
    controllers.some((one) => isLeading(one) && groupKindOf(one.kind) === groupKindOf(kind));
  return served.filter(isOwn).map(({ kind }) => knownKind(kind, controllers));
}

function isLeading({ isPrimary, reportsTo }: Controller): boolean {
  return isPrimary && reportsTo === 'status';
}

function knownKind(kind: ObjectKind, controllers: readonly Controller[]): KnownKind {
  const own = controllers
    .filter((one) => groupKindOf(one.kind) === groupKindOf(kind))
    .toSorted((a, b) => Number(b.isPrimary) - Number(a.isPrimary));
  const [primary] = own;
  if (!primary) return { kind, controllers: [] };
  return { kind: primary.kind, controllers: own, vocabulary: vocabularyOf(groupKindOf(kind), own) };
}

function isOf({ group, kind }: ObjectKind): (crd: CustomResourceDefinition) => boolean {
  return ({ spec }) => spec.group === group && spec.names.kind === kind;
}

function isNamed(name: string, kind: ObjectKind, others: readonly (string | undefined)[]): boolean {
  const wanted = name.toLowerCase();
  const names = [kind.kind.toLowerCase(), kind.plural, ...others];
  return names.some(
    (one) => wanted === one || wanted === `${one}.${kind.group}` || wanted === `${one}.${kind.version}.${kind.group}`,
  );
}
