/** True if two types are the same. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** The shape of the classes of `cdk8s-plus-27` for a quantity and for an int-or-string. */
interface Wrapper {
  // biome-ignore lint/suspicious/noExplicitAny: the type of the field in those classes
  readonly value: any;
}

/**
 * A type of `cdk8s-plus-27` as plain JSON: quantities and int-or-strings are values, not wrappers. This library imports
 * only types from that package, and none of its exported types uses them: an app does not install the package.
 */
export type Plain<T> = T extends unknown
  ? Same<T, Wrapper> extends true
    ? string | number
    : T extends Date
      ? string
      : { readonly [K in keyof T]: Plain<T[K]> }
  : never;

/** The metadata that this library sets on an object. */
export interface ManifestMeta {
  readonly name: string;
  /** The namespace. @default - none: the object is cluster-scoped, or gets the namespace in which it is applied */
  readonly namespace?: string | undefined;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A rendered object. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ManifestMeta;
}

/** The manifest of a kind, derived from the properties of its class in `cdk8s-plus-27`. */
export type ManifestOf<Props> = Manifest & Plain<Omit<Props, 'metadata'>>;
