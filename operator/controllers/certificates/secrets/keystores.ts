import type { CertificateSpec } from '../../../../imports/index.js';
import { keyStoreOf, trustStoreOf } from '../../../certificates/pkcs12.js';
import { derOf } from '../../../certificates/reading.js';
import type { LiveSecret } from '../../../runtime/index.js';
import { isPair, type TlsTexts, textIn } from './texts.js';

/** Key stores and other formats in base64, by their key in the Secret. */
export type Stores = Readonly<Record<string, string>>;

/** Why key stores cannot be written. */
export interface PasswordProblem {
  readonly is: 'PasswordNotFound' | 'InvalidPassword';
  readonly message: string;
}

type PasswordReference = NonNullable<CertificateSpec['keystores']>['pkcs12']['passwordSecretRef'];

/** The place of the password of a spec. Undefined without key stores. */
export function passwordReferenceIn({ keystores }: CertificateSpec): PasswordReference | undefined {
  return keystores?.pkcs12.passwordSecretRef;
}

/** Java reads no other characters. */
const readable = /^[ -~]+$/;

/** Why the password cannot be used. Undefined if it can, and without key stores. The message never has its value. */
export function passwordProblem(spec: CertificateSpec, secret: LiveSecret | undefined): PasswordProblem | undefined {
  const reference = passwordReferenceIn(spec);
  if (!reference) return undefined;
  const { name, key } = reference;
  const field = 'spec.keystores.pkcs12.passwordSecretRef';
  if (!secret)
    return { is: 'PasswordNotFound', message: `Secret ${name} does not exist; create it, or correct ${field}` };
  const password = textIn(secret, key);
  if (password === '')
    return {
      is: 'PasswordNotFound',
      message: `Secret ${name} has no password in key ${key}; add it, or correct ${field}`,
    };
  if (readable.test(password)) return undefined;
  const rule = 'must be printable ASCII characters without a line break, because Java reads no other password';
  return { is: 'InvalidPassword', message: `The password in key ${key} of Secret ${name} ${rule}; correct it` };
}

interface Wanted {
  readonly spec: CertificateSpec;
  readonly texts: TlsTexts;
  /** The Secret with the password. */
  readonly secret: LiveSecret | undefined;
  /** The Secret of the certificate. */
  readonly live: LiveSecret | undefined;
}

/** What the Secret of a certificate must have beside its texts. Without a usable key, what it has. */
export function storesFor(wanted: Wanted): Stores {
  return { ...formatsFor(wanted), ...keyStoresFor(wanted) };
}

/** The key stores of a Secret, and its other formats. */
export function storesIn(live: LiveSecret | undefined): Stores {
  return valuesIn(live, [...keyStoreNames, ...Object.values(formats).map(({ name }) => name)]);
}

function valuesIn(live: LiveSecret | undefined, names: readonly string[]): Stores {
  return Object.fromEntries(Object.entries(live?.data ?? {}).filter(([name]) => names.includes(name)));
}

const keyStoreNames = ['keystore.p12', 'truststore.p12'];

/** Without a usable password, the key stores stay as they are. */
function keyStoresFor({ spec, texts, secret, live }: Wanted): Stores {
  const reference = passwordReferenceIn(spec);
  if (!reference) return {};
  const { certificate, key, trusted } = texts;
  if (passwordProblem(spec, secret) || !isPair(certificate, key)) return valuesIn(live, keyStoreNames);
  const password = textIn(secret, reference.key);
  return {
    'keystore.p12': keyStoreOf({ certificate, key, password }),
    ...(trusted !== '' && { 'truststore.p12': trustStoreOf({ trusted, password, secret: key }) }),
  };
}

type Format = NonNullable<CertificateSpec['additionalOutputFormats']>[number]['type'];

/** Their keys in the Secret, and their content in base64. cert-manager has the same. */
const formats: Readonly<Record<Format, { readonly name: string; readonly of: (texts: TlsTexts) => string }>> = {
  CombinedPEM: {
    name: 'tls-combined.pem',
    of: ({ key, certificate }) => Buffer.from(`${key}\n${certificate}`).toString('base64'),
  },
  DER: { name: 'key.der', of: ({ key }) => derOf(key) },
};

function formatsFor({ spec, texts, live }: Omit<Wanted, 'secret'>): Stores {
  const asked = (spec.additionalOutputFormats ?? []).map(({ type }) => formats[type]);
  if (!isPair(texts.certificate, texts.key)) {
    return valuesIn(
      live,
      asked.map(({ name }) => name),
    );
  }
  return Object.fromEntries(asked.map(({ name, of }) => [name, of(texts)]));
}
