import { createHash } from 'node:crypto';
import { certificatesIn, fingerprintOf, parsed, validityOf } from '../../../certificates/reading.js';

/** The certificates of one source. */
export interface SourceText {
  /** The source, for people. */
  readonly title: string;
  /** PEM. Undefined if the source does not exist. */
  readonly text: string | undefined;
}

/** A bundle of CA certificates, or why there is none. */
export type Bundle =
  | { readonly is: 'complete'; readonly text: string; readonly size: number; readonly notAfter: number }
  | { readonly is: 'SourceNotFound' | 'InvalidSource'; readonly message: string };

/**
 * The certificates of the sources in their order, each once, without those that have expired.
 * @param now milliseconds since 1970
 */
export function bundleOf(sources: readonly SourceText[], now: number): Bundle {
  const found = new Map<string, { readonly pem: string; readonly to: number }>();
  for (const { title, text } of sources) {
    if (text === undefined)
      return { is: 'SourceNotFound', message: `${title} does not exist; create it, or remove the source` };
    const valid = certificatesIn(text).flatMap((pem) => {
      const certificate = parsed(pem);
      if (!certificate) return [];
      const { to } = validityOf(certificate);
      return to > now ? [{ fingerprint: fingerprintOf(certificate), pem, to }] : [];
    });
    if (valid.length === 0)
      return {
        is: 'InvalidSource',
        message: `${title} has no certificate in PEM format that is still valid; correct it`,
      };
    for (const { fingerprint, pem, to } of valid) if (!found.has(fingerprint)) found.set(fingerprint, { pem, to });
  }
  const all = [...found.values()];
  const notAfter = Math.min(...all.map(({ to }) => to));
  return { is: 'complete', text: all.map(({ pem }) => pem).join(''), size: all.length, notAfter };
}

/** The hash of a bundle. */
export function bundleHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
