import type { k8s } from 'cdk8s-plus-27';

/** True where two types are each other's. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/**
 * A type of `cdk8s-plus-27` as the JSON that travels: quantities and int-or-strings are the values themselves, not
 * wrappers. Only types are taken from there; loading the package would cost 80 ms and 26 MB.
 */
export type Plain<T> = T extends unknown
  ? Same<T, k8s.IntOrString> extends true
    ? string | number
    : T extends Date
      ? string
      : { readonly [K in keyof T]: Plain<T[K]> }
  : never;

/** What this library decides of an object's metadata. */
export interface ManifestMeta {
  readonly name: string;
  /** @default - none: the object is cluster-scoped, or goes wherever it is applied */
  readonly namespace?: string | undefined;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** An object as it is rendered. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ManifestMeta;
}

/** The manifest of a kind, from the properties of its class in `cdk8s-plus-27`. */
export type ManifestOf<Props> = Manifest & Plain<Omit<Props, 'metadata'>>;
