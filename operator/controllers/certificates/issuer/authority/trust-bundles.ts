import type { TrustBundleResource } from '../../../../../imports/index.js';
import { issuerIndex } from '../../issuer-reference/issuer-index.js';
import { type AuthorityLifetime, loadingTime } from './authority-times.js';

/** A TrustBundle, as far as issuers need it. */
export interface NamingBundle {
  readonly name: string;
  /** Its sources as the status records them. */
  readonly sources: readonly BundleSource[];
}

interface BundleSource {
  /** The value of the index of an issuer, or another source. */
  readonly source: string;
  readonly fingerprints: readonly string[];
  /** @default - a selected namespace does not have them yet */
  readonly since?: string | undefined;
}

/** A TrustBundle that names an issuer, and what its namespaces have from that issuer. */
export interface IssuerBundle {
  readonly name: string;
  /** SHA-256 fingerprints of the CA certificates of the issuer. */
  readonly fingerprints: readonly string[];
  /** Since when every selected namespace has them, in milliseconds since 1970. Undefined if one does not. */
  readonly since: number | undefined;
}

/** The issuers that a TrustBundle names, as values of an index. */
export function issuersIn({ spec }: Pick<TrustBundleResource, 'spec'>): string[] {
  return spec.sources.flatMap(({ issuer }) => (issuer ? [issuerIndex(issuer)] : []));
}

/** The part of a TrustBundle that issuers need. */
export function namingBundle({ metadata, spec, status }: TrustBundleResource): NamingBundle {
  const wanted = issuersIn({ spec });
  const sources = (status?.sources ?? []).filter(({ source }) => wanted.includes(source));
  return { name: metadata.name, sources };
}

/** What TrustBundles have of an issuer. @param index the value of the index of the issuer */
export function bundlesOf(bundles: readonly NamingBundle[], index: string): readonly IssuerBundle[] {
  return bundles.map(({ name, sources }) => {
    const found = sources.find(({ source }) => source === index);
    const { fingerprints = [], since } = found ?? {};
    return { name, fingerprints, since: since === undefined ? undefined : Date.parse(since) };
  });
}

/** The names of the TrustBundles without a CA certificate in all of their namespaces. */
export function bundlesWithout(fingerprint: string, bundles: readonly IssuerBundle[]): readonly string[] {
  return bundles.flatMap(({ name, fingerprints, since }) =>
    since !== undefined && fingerprints.includes(fingerprint) ? [] : [name],
  );
}

/**
 * When the clients of all TrustBundles have had time to load a CA certificate, in milliseconds since 1970. Undefined while a
 * TrustBundle does not have it.
 */
export function bundledTime(
  fingerprint: string,
  bundles: readonly IssuerBundle[],
  lifetime: AuthorityLifetime,
): number | undefined {
  if (bundlesWithout(fingerprint, bundles).length > 0) return undefined;
  return Math.max(0, ...bundles.map(({ since = 0 }) => since + loadingTime(lifetime)));
}
