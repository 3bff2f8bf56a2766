import { createHash } from 'node:crypto';
import { certificatesIn, fingerprintOf, parsed, validityOf } from '../../../certificates/reading.js';

/** The certificates of one source. */
export interface SourceText {
  /** Identifies the source in the status. Undefined if its certificates are not recorded, because it never fails. */
  readonly id: string | undefined;
  /** The source, for people. */
  readonly title: string;
  /** PEM. Undefined if the source does not exist. */
  readonly text: string | undefined;
}

/** The certificates that a bundle has from a source. */
export interface BundledSource {
  readonly id: string;
  readonly fingerprints: readonly string[];
}

/** What was published before. */
export interface EarlierBundle {
  /** PEM. Undefined if nothing was published, or if it is lost. It is read only if a source fails. */
  readonly text: string | undefined;
  /** Whether something was published. */
  readonly isPublished: boolean;
  /** Undefined if it was not recorded. */
  readonly sources: readonly BundledSource[] | undefined;
}

/** Why a source has no certificates. */
export interface SourceProblem {
  readonly is: 'SourceNotFound' | 'InvalidSource';
  readonly message: string;
}

/** A bundle of CA certificates. */
export interface Bundle {
  /** PEM. Undefined if no source has a certificate, or if the earlier certificates of a source that fails are lost. */
  readonly text: string | undefined;
  readonly size: number;
  /** The earliest end of a certificate that is still valid, in milliseconds since 1970. Undefined if none is. */
  readonly notAfter: number | undefined;
  readonly sources: readonly BundledSource[];
  /** Of each source that fails, in their order. */
  readonly problems: readonly SourceProblem[];
}

interface Certificate {
  readonly fingerprint: string;
  readonly pem: string;
  /** Milliseconds since 1970. */
  readonly to: number;
}

/**
 * The certificates of the sources in their order, each once, without those that have expired. A source that fails keeps the
 * certificates that the earlier bundle has from it, so that it delays no other source.
 * @param now milliseconds since 1970
 */
export function bundleOf(sources: readonly SourceText[], now: number, earlier: EarlierBundle): Bundle {
  const read = sources.map((source) => ({ ...source, valid: validIn(source.text, now) }));
  const known = new Set(read.flatMap(({ valid }) => valid.map(({ fingerprint }) => fingerprint)));
  let published: readonly Certificate[] | undefined;
  const keptOf = (id: string | undefined): readonly (Certificate | undefined)[] => {
    const recorded = earlier.sources?.find((one) => one.id === id);
    if (!recorded && (earlier.sources || !earlier.isPublished)) return [];
    published ??= readIn(earlier.text ?? '');
    const all = published;
    if (recorded) return recorded.fingerprints.map((of) => all.find(({ fingerprint }) => fingerprint === of));
    // Without a record, any other certificate may be of this source.
    return earlier.text === undefined ? [undefined] : all.filter(({ fingerprint }) => !known.has(fingerprint));
  };
  const found = read.map((source) => ({ ...source, kept: source.valid.length > 0 ? source.valid : keptOf(source.id) }));
  const all = new Map(
    found.flatMap(({ kept }) => kept.flatMap((one) => (one ? [[one.fingerprint, one] as const] : []))),
  );
  const isLost = found.some(({ kept }) => kept.includes(undefined));
  const certificates = [...all.values()];
  const ends = certificates.map(({ to }) => to).filter((to) => to > now);
  return {
    text: isLost || certificates.length === 0 ? undefined : certificates.map(({ pem }) => pem).join(''),
    size: certificates.length,
    notAfter: ends.length === 0 ? undefined : Math.min(...ends),
    sources: recordsOf(found),
    problems: found.flatMap((source, index) => (source.valid.length > 0 ? [] : problemOf(source, index))),
  };
}

interface FoundSource extends SourceText {
  readonly kept: readonly (Certificate | undefined)[];
}

/** One record for each source, also if several entries are the same source. */
function recordsOf(found: readonly FoundSource[]): readonly BundledSource[] {
  const records = found.flatMap(({ id, kept }): (readonly [string, BundledSource])[] =>
    id === undefined ? [] : [[id, { id, fingerprints: [...new Set(kept.flatMap((one) => one?.fingerprint ?? []))] }]],
  );
  return [...new Map(records).values()];
}

function problemOf({ title, text, kept }: FoundSource, index: number): SourceProblem {
  const field = `spec.sources[${index}]`;
  const rest = kept.length === 0 ? '' : ', and its earlier certificates stay in the bundle';
  if (text === undefined)
    return {
      is: 'SourceNotFound',
      message: `${field}: ${title} does not exist${rest}; create it, or remove the source`,
    };
  return {
    is: 'InvalidSource',
    message: `${field}: ${title} has no certificate in PEM format that is still valid${rest}; correct it`,
  };
}

function validIn(text: string | undefined, now: number): readonly Certificate[] {
  return readIn(text ?? '').filter(({ to }) => to > now);
}

function readIn(text: string): readonly Certificate[] {
  return certificatesIn(text).flatMap((pem) => {
    const certificate = parsed(pem);
    return certificate ? [{ fingerprint: fingerprintOf(certificate), pem, to: validityOf(certificate).to }] : [];
  });
}

/** The hash of a bundle. */
export function bundleHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
