import type { X509Certificate } from 'node:crypto';
import { defaultKeySize, secondsOf } from '../../../../crds/index.js';
import type { CertificateSpec } from '../../../../imports/index.js';
import { canonicalAddress, type KeyKind, namesOf, type SubjectNames } from '../../../certificates/reading.js';
import { effectiveUsages, type Usage, usagesOf } from '../../../certificates/usages.js';

/** What a certificate must say. */
export interface CertificateRequest {
  readonly names: SubjectNames;
  readonly usages: readonly Usage[];
  readonly isCA: boolean;
  /** Milliseconds. */
  readonly duration: number;
  readonly privateKey: KeyKind;
}

/** The request that a spec states. */
export function requestIn(spec: CertificateSpec): CertificateRequest {
  const { commonName, dnsNames = [], ipAddresses = [], uris = [], emailAddresses = [] } = spec;
  return {
    names: {
      ...(commonName !== undefined && { commonName }),
      dnsNames: sorted(dnsNames.map((name) => name.toLowerCase())),
      ipAddresses: sorted(ipAddresses.map(canonicalAddress)),
      uris: sorted(uris),
      emailAddresses: sorted(emailAddresses),
    },
    usages: effectiveUsages(spec.usages, spec.isCA),
    isCA: spec.isCA,
    duration: secondsOf(spec.duration) * 1000,
    privateKey: keyKindIn(spec.privateKey),
  };
}

/** The kind of a private key in a spec. */
export function keyKindIn({ algorithm, size }: KeyKind): KeyKind {
  const bits = size ?? defaultKeySize[algorithm];
  return bits === undefined ? { algorithm } : { algorithm, size: bits };
}

function sorted(values: readonly string[]): readonly string[] {
  return [...new Set(values)].toSorted();
}

/** How the names of a certificate differ from those of a request, as the end of a sentence. Undefined if they match. */
export function nameDifferenceOf(certificate: X509Certificate, request: CertificateRequest): string | undefined {
  const { dnsNames, ipAddresses } = namesOf(certificate);
  if (
    !isSame(
      dnsNames.map((name) => name.toLowerCase()),
      request.names.dnsNames,
    )
  )
    return 'has other DNS names';
  return isSame(ipAddresses, request.names.ipAddresses) ? undefined : 'has other IP addresses';
}

/** How a certificate differs from a request, as the end of a sentence. Undefined if it matches. */
export function differenceOf(certificate: X509Certificate, request: CertificateRequest): string | undefined {
  const names = namesOf(certificate);
  const differences: readonly (readonly [difference: string, isThere: boolean])[] = [
    ['has other URIs', !isSame(names.uris, request.names.uris)],
    ['has other email addresses', !isSame(names.emailAddresses, request.names.emailAddresses)],
    ['has another common name', (names.commonName ?? '') !== (request.names.commonName ?? '')],
    ['has other usages', !isSame(usagesOf(certificate), request.usages)],
    [request.isCA ? 'is not one of a CA' : 'is one of a CA', certificate.ca !== request.isCA],
  ];
  return nameDifferenceOf(certificate, request) ?? differences.find(([, isThere]) => isThere)?.[0];
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return JSON.stringify(sorted(some)) === JSON.stringify(sorted(others));
}
