import type { X509Certificate } from 'node:crypto';

/** The bits of the KeyUsage extension, in the order of RFC 5280. */
const keyUsages = [
  'digital signature',
  'content commitment',
  'key encipherment',
  'data encipherment',
  'key agreement',
  'cert sign',
  'crl sign',
] as const;

/** The object identifiers of the ExtendedKeyUsage extension. */
const extendedUsages = {
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
  'code signing': '1.3.6.1.5.5.7.3.3',
  'email protection': '1.3.6.1.5.5.7.3.4',
  timestamping: '1.3.6.1.5.5.7.3.8',
  'ocsp signing': '1.3.6.1.5.5.7.3.9',
} as const;

/** A usage of a key, with its name in the CertificateSigningRequest API. */
export type Usage = (typeof keyUsages)[number] | keyof typeof extendedUsages;

/** The usages that a certificate gets. A CA needs two more. */
export function effectiveUsages(usages: readonly Usage[], isCA: boolean): readonly Usage[] {
  return [...new Set<Usage>([...usages, ...(isCA ? (['cert sign', 'crl sign'] as const) : [])])].toSorted();
}

/** The value of the KeyUsage extension: bit n is the n-th of {@link keyUsages}. */
export function keyUsageBits(usages: readonly Usage[]): number {
  return keyUsages.reduce((bits, usage, index) => (usages.includes(usage) ? bits | (1 << index) : bits), 0);
}

/** The values of the ExtendedKeyUsage extension. */
export function extendedKeyUsages(usages: readonly Usage[]): readonly string[] {
  return Object.entries(extendedUsages).flatMap(([usage, oid]) => (usages.includes(usage as Usage) ? [oid] : []));
}

/** The usages in a certificate, sorted. */
export function usagesOf(certificate: X509Certificate): readonly Usage[] {
  const oids = certificate.keyUsage ?? [];
  const extended = Object.entries(extendedUsages).filter(([, oid]) => oids.includes(oid));
  const bits = keyUsageIn(certificate.raw);
  const plain = keyUsages.filter((_, index) => (bits & (1 << index)) !== 0);
  return [...plain, ...extended.map(([usage]) => usage as Usage)].toSorted();
}

/** The identifier of the KeyUsage extension, in DER. */
const keyUsageId = Buffer.from('0603551d0f', 'hex');
/** DER: `critical` is true. */
const critical = Buffer.from('0101ff', 'hex');

/** Node.js does not tell the KeyUsage extension: an OCTET STRING of four or five bytes with a BIT STRING. */
function keyUsageIn(der: Buffer): number {
  const found = der.indexOf(keyUsageId);
  if (found < 0) return 0;
  const after = found + keyUsageId.length;
  const start = der.subarray(after, after + critical.length).equals(critical) ? after + critical.length : after;
  const first = der[start + 5] ?? 0;
  // The first bit of a BIT STRING is the highest of its byte.
  return keyUsages.reduce((bits, _, index) => ((first & (0x80 >> index)) !== 0 ? bits | (1 << index) : bits), 0);
}
