import { createECDH, createHash, createHmac, createPrivateKey, createPublicKey, webcrypto } from 'node:crypto';
import { effectiveUsages, extendedKeyUsages, keyUsageBits, type Usage } from '../../../operator/certificates/usages.js';

/** The order of the curve P-256. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** A private key that follows from a text: ECDSA with P-256, PKCS #8, PEM. Two runs must render the same Secrets. */
export function keyOf(text: string): string {
  const d = scalarOf(createHash('sha256').update(text).digest());
  const point = pointOf(d);
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((one) => one.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', x, y, d: bytesOf(d).toString('base64url') };
  return createPrivateKey({ key: jwk, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** What a fixed certificate says. */
export interface FixedCertificate {
  readonly commonName: string;
  readonly dnsNames?: readonly string[];
  readonly isCA?: boolean;
  /** @default none */
  readonly usages?: readonly Usage[];
  /** SubjectPublicKeyInfo, in base64. @default - that of the signer */
  readonly publicKey?: string;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

/** A certificate that follows from its content: PEM. @param signer its certificate is absent if it signs itself */
export async function certificateOf(
  content: FixedCertificate,
  signer: { readonly certificate?: string; readonly key: string },
): Promise<string> {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  const { commonName, dnsNames = [], isCA = false, usages = [], from, to } = content;
  const effective = effectiveUsages(usages, isCA);
  const [bits, extended] = [keyUsageBits(effective), extendedKeyUsages(effective)];
  const key = createPrivateKey(signer.key);
  const own = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const publicKey = content.publicKey === undefined ? own : Buffer.from(content.publicKey, 'base64');
  const subject = new x509.Name([{ CN: [{ utf8String: commonName }] }]);
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const pkcs8 = key.export({ type: 'pkcs8', format: 'der' });
  const certificate = await x509.X509CertificateGenerator.create(
    {
      serialNumber: `01${createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 30)}`,
      ...{ subject, notBefore: new Date(from), notAfter: new Date(to), publicKey },
      issuer: signer.certificate === undefined ? subject : new x509.X509Certificate(signer.certificate).subjectName,
      signingAlgorithm: algorithm,
      signingKey: await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']),
      extensions: [
        ...(isCA ? [new x509.BasicConstraintsExtension(true, undefined, true)] : []),
        ...(bits === 0 ? [] : [new x509.KeyUsagesExtension(bits, true)]),
        ...(extended.length > 0 ? [new x509.ExtendedKeyUsageExtension([...extended])] : []),
        ...(dnsNames.length > 0
          ? [new x509.SubjectAlternativeNameExtension(dnsNames.map((value) => ({ type: 'dns' as const, value })))]
          : []),
        await x509.SubjectKeyIdentifierExtension.create(publicKey),
        await x509.AuthorityKeyIdentifierExtension.create(own),
      ],
    },
    signingWith(signer.key),
  );
  return `${certificate.toString('pem')}\n`;
}

/** The library signs with this instead of WebCrypto, whose signatures differ each time. */
function signingWith(key: string): webcrypto.Crypto {
  const sign = async (_algorithm: unknown, _key: unknown, data: ArrayBuffer) => signatureOf(Buffer.from(data), key);
  const subtle = new Proxy(webcrypto.subtle, {
    get: (real, name) => {
      if (name === 'sign') return sign;
      const member = Reflect.get(real, name) as unknown;
      return typeof member === 'function' ? member.bind(real) : member;
    },
  });
  return { subtle } as webcrypto.Crypto;
}

/** An ECDSA signature whose nonce follows from the key and the data, as in RFC 6979 but simpler. Both numbers, concatenated. */
function signatureOf(data: Buffer, key: string): Buffer {
  const { d = '' } = createPrivateKey(key).export({ format: 'jwk' });
  const secret = Buffer.from(d, 'base64url');
  const digest = createHash('sha256').update(data).digest();
  const nonce = scalarOf(createHmac('sha256', secret).update(digest).digest());
  const r = numberOf(pointOf(nonce).subarray(1, 33)) % order;
  const s = (inverse(nonce) * (numberOf(digest) + r * numberOf(secret))) % order;
  return Buffer.concat([bytesOf(r), bytesOf(s)]);
}

/** The multiple of the curve's generator, uncompressed. */
function pointOf(scalar: bigint): Buffer {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(bytesOf(scalar));
  return curve.getPublicKey();
}

function inverse(value: bigint): bigint {
  let result = 1n;
  let base = value % order;
  for (let left = order - 2n; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * base) % order;
    base = (base * base) % order;
  }
  return result;
}

function scalarOf(digest: Buffer): bigint {
  return (numberOf(digest) % (order - 1n)) + 1n;
}

function numberOf(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`);
}

function bytesOf(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}
