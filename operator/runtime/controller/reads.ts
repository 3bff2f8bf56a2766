import { isRecord } from '../kubernetes/json.js';
import { distinct, type LiveOf, type ObjectKind } from '../kubernetes/kinds.js';
import type { LiveObject, ObjectName } from '../kubernetes/object.js';
import type { CustomResource } from './custom-resource.js';

/** Labels that an object must have, each with its value; it may have others. */
export type Labels = Readonly<Record<string, string>>;

/** What a resource refers to, in one namespace; '' where the kind has none. */
export type Reference =
  | { readonly namespace: string; readonly name: string }
  | { readonly namespace: string; readonly labels: Labels };

/** Objects that a controller looks at without owning them. `F` is the type of what its functions see. */
export interface Read<F = unknown> {
  readonly kind: ObjectKind;
  /** One object, one for each name, or all that have the labels. */
  readonly form: 'one' | 'each' | 'labelled';
  /** @throws {Error} when an object of a namespaced kind is named without a namespace, and the resource has none */
  refersTo(resource: CustomResource): readonly Reference[];
  /** What the functions see of an object. @default - the whole of it */
  part?(object: LiveObject): unknown;
  /** Never set: carries the type. */
  readonly found?: F;
}

/** What a controller reads, by the names that its functions see it under. */
export type Reads = Readonly<Record<string, Read>>;

/** What `desire` and `assess` see of what is read. Frozen. */
export type Found<Q extends Reads = Reads> = { readonly [N in keyof Q]: Q[N] extends Read<infer F> ? F : never };

/** What people state of a resource: a reference that followed from its status would move with each look at it. */
export type StatedOf<R extends CustomResource> = Omit<R, 'status'>;

/**
 * By what a resource `R` refers to what it does not own. The functions are pure; undefined is no reference. Where a `part`
 * of each object is enough, the controller's functions see that alone, and a change of anything else wakes nobody.
 */
export interface Refer<R extends CustomResource = CustomResource> {
  /** One object, in the resource's own namespace unless another is stated; undefined while it is not there. */
  named<K extends ObjectKind, P = LiveOf<K>>(
    kind: K,
    name: (resource: StatedOf<R>) => string | ObjectName | undefined,
    part?: (object: LiveOf<K>) => P,
  ): Read<NoInfer<P> | undefined>;
  /** One for each name, in their order; undefined in the place of one that is not there. */
  eachNamed<K extends ObjectKind, P = LiveOf<K>>(
    kind: K,
    names: (resource: StatedOf<R>) => readonly (string | ObjectName)[] | undefined,
    part?: (object: LiveOf<K>) => P,
  ): Read<readonly (NoInfer<P> | undefined)[]>;
  /** All that have these labels, by name, in the resource's own namespace unless another is stated. */
  matchingLabels<K extends ObjectKind, P = LiveOf<K>>(
    kind: K,
    select: (resource: StatedOf<R>) => { readonly labels: Labels; readonly namespace?: string } | undefined,
    part?: (object: LiveOf<K>) => P,
  ): Read<readonly NoInfer<P>[]>;
}

/** What the `reads` of a declaration is called with. */
export const refer: Refer = {
  named: (kind, name, part) => ({
    kind,
    ...(part && { part }),
    form: 'one',
    refersTo: (resource) => {
      const stated = name(statedOf(resource));
      return stated === undefined ? [] : [nameIn(kind, resource, stated)];
    },
  }),
  eachNamed: (kind, names, part) => ({
    kind,
    ...(part && { part }),
    form: 'each',
    refersTo: (resource) => (names(statedOf(resource)) ?? []).map((name) => nameIn(kind, resource, name)),
  }),
  matchingLabels: (kind, select, part) => ({
    kind,
    ...(part && { part }),
    form: 'labelled',
    refersTo: (resource) => {
      const stated = select(statedOf(resource));
      return stated === undefined ? [] : [{ ...placeIn(kind, resource, stated), labels: labelsIn(kind, stated) }];
    },
  }),
};

function statedOf({ status: _, ...stated }: CustomResource): StatedOf<CustomResource> {
  return stated;
}

function nameIn(kind: ObjectKind, resource: CustomResource, stated: string | ObjectName): Reference {
  const name = typeof stated === 'string' ? { name: stated } : stated;
  if (typeof name.name === 'string') return { ...placeIn(kind, resource, name), name: name.name };
  throw new Error(`a ${kind.kind} is referred to by a name that is no text, got ${JSON.stringify(name.name)}`);
}

/** Each is looked for on each object of the namespace. */
const mostLabels = 100;

/** Nobody's labels would be all objects' labels. */
function labelsIn(kind: ObjectKind, { labels }: { readonly labels: Labels }): Labels {
  const values = isRecord(labels) ? Object.values(labels) : undefined;
  if (values && values.length > mostLabels)
    throw new Error(`${kind.plural} are referred to by ${values.length} labels: state ${mostLabels} at most`);
  if (values?.every((value) => typeof value === 'string')) return labels;
  throw new Error(`${kind.plural} are referred to by labels that are none, got ${JSON.stringify(labels)}`);
}

function placeIn(
  kind: ObjectKind,
  { kind: reader, metadata }: CustomResource,
  { namespace = metadata.namespace }: { readonly namespace?: string },
): { readonly namespace: string } {
  if (!kind.namespaced) return { namespace: '' };
  if (namespace) return { namespace };
  throw new Error(`${reader} ${metadata.name} refers to a ${kind.kind} without a namespace: state it beside the name`);
}

/** What the functions of a controller see, of the objects that each reference of a resource found. */
export function foundBy(read: Read, objects: readonly (readonly LiveObject[])[]): unknown {
  const shown = objects.map((found) => found.map((object) => (read.part ? read.part(object) : object)));
  if (read.form === 'one') return shown[0]?.[0];
  return Object.freeze(read.form === 'each' ? shown.map(([first]) => first) : shown.flat());
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

/** What a list is asked for, to find all that have the labels. */
export function selectorOf(labels: Labels): string {
  return Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
}
