import { isRecord } from '../kubernetes/json.js';
import { distinct, type LiveOf, mayBeIn, type ObjectKind } from '../kubernetes/kinds.js';
import type { LiveObject, ObjectName } from '../kubernetes/object.js';
import { isPartial } from '../kubernetes/partial-metadata.js';
import type { CustomResource } from './custom-resource.js';

/** Labels that an object must have, each with its value. The object may have others. */
export type Labels = Readonly<Record<string, string>>;

/** What a resource refers to, in one namespace. The namespace is '' for cluster-scoped kinds. */
type LocalReference =
  | { readonly namespace: string; readonly name: string }
  | { readonly namespace: string; readonly labels: Labels };

/** Objects by a value of an index, in all watched namespaces. */
export interface IndexReference {
  readonly value: string;
}

/** What a resource refers to. */
export type Reference = LocalReference | IndexReference;

/** Objects that a controller reads and does not own. `F` is the type that its functions see, and `D` what `desire` sees. */
export interface Read<F = unknown, D = F> {
  readonly kind: ObjectKind;
  /** One object, one object for each name, or all objects that have the labels or an indexed value. */
  readonly form: 'one' | 'each' | 'labelled' | 'indexed';
  /** @throws {Error} if an object of a namespaced kind is named without a namespace and the resource has none */
  refersTo(resource: CustomResource): readonly Reference[];
  /** The part of an object that the functions see. @default - the whole object */
  part?(object: LiveObject): unknown;
  /** The values under which an object is found. Only of the form `indexed`. */
  indexFunc?(object: LiveObject): readonly string[];
  /** True if `desire` is not called while an object is missing. @default false */
  readonly isRequired?: boolean;
  /** Never set. It carries the type. */
  readonly found?: F;
  /** Never set. It carries the type. */
  readonly wanted?: D;
}

/** The reads of a controller, by the names under which its functions see them. */
export type Reads = Readonly<Record<string, Read>>;

/** The referenced objects as `polls` and `assess` see them. Frozen. */
export type Found<Q extends Reads = Reads> = {
  readonly [N in keyof Q]: Q[N] extends Read<infer F, unknown> ? F : never;
};

/** The referenced objects as `desire` sees them: the required ones exist. Frozen. */
export type Present<Q extends Reads = Reads> = {
  readonly [N in keyof Q]: Q[N] extends Read<unknown, infer D> ? D : never;
};

/** A resource without its status. A reference that depended on the status would change with each reconcile. */
export type StatedOf<R extends CustomResource> = Omit<R, 'status'>;

/**
 * Declares how a resource `R` refers to objects that it does not own. The functions are pure, and undefined means no
 * reference. If a `part` of each object is enough, the controller's functions see only that part, and other changes
 * trigger no reconcile.
 *
 * A reference to another namespace than the resource's own needs a kind that says so: see `crossNamespace`.
 */
export interface Refer<R extends CustomResource = CustomResource> {
  /**
   * One object, in the resource's own namespace unless another one is given. Undefined while the object does not exist.
   */
  named<K extends ObjectKind, P = LiveOf<K>>(
    kind: K,
    name: (resource: StatedOf<R>) => string | ObjectName | undefined,
    part?: (object: LiveOf<K>) => P,
  ): Read<NoInfer<P> | undefined>;
  /** One object for each name, in their order. Undefined in the place of an object that does not exist. */
  eachNamed<K extends ObjectKind, P = LiveOf<K>>(
    kind: K,
    names: (resource: StatedOf<R>) => readonly (string | ObjectName)[] | undefined,
    part?: (object: LiveOf<K>) => P,
  ): Read<readonly (NoInfer<P> | undefined)[]>;
  /**
   * One object without which the spec cannot work, in the resource's own namespace unless another one is given. While it
   * does not exist, `desire` is not called, all objects of the resource stay as they are, and `Accepted` is False with
   * the reason `<Kind>Missing`. So too while the resource is being deleted, if the controller finalizes.
   */
  required<K extends ObjectKind, N extends string | ObjectName | undefined, P = LiveOf<K>>(
    kind: K,
    name: (resource: StatedOf<R>) => N,
    part?: (object: LiveOf<K>) => P,
  ): Read<NoInfer<P> | undefined, NoInfer<P> | Extract<N, undefined>>;
  /** The same for one object for each name, in their order. */
  eachRequired<K extends ObjectKind, P = LiveOf<K>>(
    kind: K,
    names: (resource: StatedOf<R>) => readonly (string | ObjectName)[] | undefined,
    part?: (object: LiveOf<K>) => P,
  ): Read<readonly (NoInfer<P> | undefined)[], readonly NoInfer<P>[]>;
  /** All objects that have these labels, by name, in the resource's own namespace unless another one is given. */
  matchingLabels<K extends ObjectKind, P = LiveOf<K>>(
    kind: K,
    select: (resource: StatedOf<R>) => { readonly labels: Labels; readonly namespace?: string } | undefined,
    part?: (object: LiveOf<K>) => P,
  ): Read<readonly NoInfer<P>[]>;
  /**
   * All objects, in every watched namespace, for which `indexFunc` returns one of the `values`, by namespace and name.
   * An object for which it returns a value is kept whole.
   */
  byIndex<K extends ObjectKind, P = LiveOf<K>>(
    kind: K,
    index: {
      readonly indexFunc: (object: LiveOf<K>) => readonly string[];
      readonly values: (resource: StatedOf<R>) => readonly string[];
    },
    part?: (object: LiveOf<K>) => P,
  ): Read<readonly NoInfer<P>[]>;
}

const named: Refer['named'] = (kind, name, part) => ({
  kind,
  ...(part && { part }),
  form: 'one',
  refersTo: (resource) => {
    const stated = name(statedOf(resource));
    return stated === undefined ? [] : [nameIn(kind, resource, stated)];
  },
});

const eachNamed: Refer['eachNamed'] = (kind, names, part) => ({
  kind,
  ...(part && { part }),
  form: 'each',
  refersTo: (resource) => (names(statedOf(resource)) ?? []).map((name) => nameIn(kind, resource, name)),
});

/** The same read, whose objects must exist. */
function mustExist<F, D>({ found: _, wanted: __, ...read }: Read<F>): Read<F, D> {
  return { ...read, isRequired: true };
}

/** The argument of `reads` in a declaration. */
export const refer: Refer = {
  named,
  eachNamed,
  required: (kind, name, part) => mustExist(named(kind, name, part)),
  eachRequired: (kind, names, part) => mustExist(eachNamed(kind, names, part)),
  matchingLabels: (kind, select, part) => ({
    kind,
    ...(part && { part }),
    form: 'labelled',
    refersTo: (resource) => {
      const stated = select(statedOf(resource));
      return stated === undefined ? [] : [{ ...placeIn(kind, resource, stated), labels: labelsIn(kind, stated) }];
    },
  }),
  byIndex: (kind, { indexFunc, values }, part) => ({
    kind,
    ...(part && { part }),
    form: 'indexed',
    indexFunc: indexFunc as (object: LiveObject) => readonly string[],
    refersTo: (resource) => values(statedOf(resource)).map((value) => ({ value })),
  }),
};

function statedOf({ status: _, ...stated }: CustomResource): StatedOf<CustomResource> {
  return stated;
}

function nameIn(kind: ObjectKind, resource: CustomResource, stated: string | ObjectName): LocalReference {
  const name = typeof stated === 'string' ? { name: stated } : stated;
  if (typeof name.name === 'string') return { ...placeIn(kind, resource, name), name: name.name };
  throw new Error(`the name of the referenced ${kind.kind} must be a string, got ${JSON.stringify(name.name)}`);
}

/** Each label is compared on each object of the namespace. */
const mostLabels = 100;

/** Without labels the selector would match all objects. */
function labelsIn(kind: ObjectKind, { labels }: { readonly labels: Labels }): Labels {
  const values = isRecord(labels) ? Object.values(labels) : undefined;
  if (values && values.length > mostLabels)
    throw new Error(`the selector of ${kind.plural} must have at most ${mostLabels} labels, got ${values.length}`);
  if (values?.every((value) => typeof value === 'string')) return labels;
  throw new Error(`the selector of ${kind.plural} must be labels with string values, got ${JSON.stringify(labels)}`);
}

function placeIn(
  kind: ObjectKind,
  { kind: reader, metadata }: CustomResource,
  { namespace = metadata.namespace }: { readonly namespace?: string },
): { readonly namespace: string } {
  if (!kind.namespaced) return { namespace: '' };
  const home = metadata.namespace;
  if (namespace && home !== undefined && namespace !== home && !mayBeIn(kind, namespace)) {
    const advice = kind.crossNamespace
      ? `add ${namespace} to crossNamespace(${kind.kind}, […]) in reads`
      : `read crossNamespace(${kind.kind}) to allow it`;
    throw new Error(
      `${reader} ${metadata.name} refers to a ${kind.kind} in namespace ${namespace}, but its controller reads them only ${readPlaces(kind, home)}: ${advice}`,
    );
  }
  if (namespace) return { namespace };
  throw new Error(
    `${reader} ${metadata.name} refers to a ${kind.kind} without a namespace: add the namespace to the name`,
  );
}

function readPlaces({ namespaces }: ObjectKind, home: string): string {
  return typeof namespaces === 'object' ? `in ${[home, ...namespaces].join(', ')}` : `in ${home}`;
}

/** What the functions of a controller see of the objects that each reference of a resource found. */
export function foundBy(read: Read, objects: readonly (readonly LiveObject[])[]): unknown {
  const shown = objects.map((found) => found.map((object) => (read.part ? read.part(object) : object)));
  if (read.form === 'one') return shown[0]?.[0];
  return Object.freeze(read.form === 'each' ? shown.map(([first]) => first) : shown.flat());
}

/** True if an object is what a reference means. */
export function isReferredToBy(object: LiveObject, reference: Reference, read: Read): boolean {
  if ('value' in reference) return indexedValues(read, object).includes(reference.value);
  if ((object.metadata.namespace ?? '') !== reference.namespace) return false;
  return 'name' in reference ? object.metadata.name === reference.name : hasLabels(object, reference.labels);
}

/** The values under which an index finds an object. Only the metadata of other objects is kept, so they have none. */
export function indexedValues({ indexFunc }: Pick<Read, 'indexFunc'>, object: LiveObject): readonly string[] {
  return !indexFunc || isPartial(object) ? [] : indexFunc(object);
}

/** The kinds that controllers read, each once. */
export function kindsRead(controllers: readonly { readonly reads: Reads }[]): ObjectKind[] {
  return distinct(controllers.flatMap(({ reads }) => Object.values(reads).map(({ kind }) => kind)));
}

/** Whether an object has the labels. */
export function hasLabels({ metadata }: LiveObject, wanted: Labels): boolean {
  const { labels = {} } = metadata;
  return Object.entries(wanted).every(([label, value]) => Object.hasOwn(labels, label) && labels[label] === value);
}

/** The label selector of a list that finds all objects with the labels. */
export function selectorOf(labels: Labels): string {
  return Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
}
