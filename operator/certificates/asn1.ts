import { createRequire } from 'node:module';
import type * as Cms from '@peculiar/asn1-cms';
import type * as Pfx from '@peculiar/asn1-pfx';
import type * as Rsa from '@peculiar/asn1-rsa';
import type * as Schema from '@peculiar/asn1-schema';
import type * as X509 from '@peculiar/asn1-x509';
import type * as Asn1 from 'asn1js';

export type { ContentInfo } from '@peculiar/asn1-cms';
export type { MacData, PKCS12Attribute, SafeBag } from '@peculiar/asn1-pfx';
export type { AlgorithmIdentifier } from '@peculiar/asn1-x509';

const require = createRequire(import.meta.url);

const load = () => ({
  cms: require('@peculiar/asn1-cms') as typeof Cms,
  pfx: require('@peculiar/asn1-pfx') as typeof Pfx,
  rsa: require('@peculiar/asn1-rsa') as typeof Rsa,
  schema: require('@peculiar/asn1-schema') as typeof Schema,
  x509: require('@peculiar/asn1-x509') as typeof X509,
});
let loaded: ReturnType<typeof load> | undefined;

/** Loaded synchronously with the first store, because `desire` writes it, and most operators write none. */
function libraries(): ReturnType<typeof load> {
  loaded ??= load();
  return loaded;
}

/** Values of ASN.1, which a revocation list needs too. */
const asn1 = (): typeof Asn1 => require('asn1js');

/** The structures of PKCS #12. */
export const pfx = (): typeof Pfx => libraries().pfx;

/** Encodes a value in DER, the binary format of PKCS. */
export function inDer(value: object): ArrayBuffer {
  return libraries().schema.AsnSerializer.serialize(value);
}

export function octets(content: Buffer | ArrayBuffer): Schema.OctetString {
  return new (libraries().schema.OctetString)(content);
}

/** @param parameters in DER; null if the algorithm has none */
export function algorithm(id: string, parameters: ArrayBuffer | null): X509.AlgorithmIdentifier {
  return new (libraries().x509.AlgorithmIdentifier)({ algorithm: id, parameters });
}

export function digestInfo(digestAlgorithm: X509.AlgorithmIdentifier, digest: Buffer): Rsa.DigestInfo {
  return new (libraries().rsa.DigestInfo)({ digestAlgorithm, digest: octets(digest) });
}

/** @param content in DER */
export function dataOf(content: ArrayBuffer): Cms.ContentInfo {
  const { ContentInfo, id_data: contentType } = libraries().cms;
  return new ContentInfo({ contentType, content: inDer(octets(content)) });
}

/** A structure that the libraries lack. */
export function sequence(...values: readonly object[]): Asn1.Sequence {
  const { BaseBlock, Sequence } = asn1();
  const { AsnSerializer } = libraries().schema;
  return new Sequence({ value: values.map((one) => (one instanceof BaseBlock ? one : AsnSerializer.toASN(one))) });
}

export function integer(value: number): Asn1.Integer {
  return new (asn1().Integer)({ value });
}

export function objectId(dotted: string): Asn1.ObjectIdentifier {
  return new (asn1().ObjectIdentifier)({ value: dotted });
}

export function bmpString(value: string): Asn1.BmpString {
  return new (asn1().BmpString)({ value });
}

/** EncryptedData of RFC 5652, which the library lacks. */
export function encryptedDataOf(
  contentEncryptionAlgorithm: X509.AlgorithmIdentifier,
  encrypted: Buffer,
): Cms.ContentInfo {
  const { ContentInfo, EncryptedContent, EncryptedContentInfo, id_data, id_encryptedData } = libraries().cms;
  const encryptedContent = new EncryptedContent({ value: octets(encrypted) });
  const info = new EncryptedContentInfo({ contentType: id_data, contentEncryptionAlgorithm, encryptedContent });
  return new ContentInfo({ contentType: id_encryptedData, content: inDer(sequence(integer(0), info)) });
}
