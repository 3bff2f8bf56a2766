import type { CertificateSpec } from '../../../../imports/index.js';
import { keyStoreOf, trustStoreOf } from '../../../certificates/pkcs12.js';
import type { LiveSecret } from '../../../runtime/index.js';
import { textIn } from '../secret-data.js';
import { isPair, type TlsTexts } from './situation.js';

/** Key stores in base64, by their key in the Secret. */
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

/** The key stores that the Secret of a certificate must have. Without a usable password or key, those that it has. */
export function storesFor({ spec, texts, secret, live }: Wanted): Stores {
  const reference = passwordReferenceIn(spec);
  if (!reference) return {};
  const { certificate, key, trusted } = texts;
  if (passwordProblem(spec, secret) || !isPair(certificate, key)) return storesIn(live);
  const password = textIn(secret, reference.key);
  return {
    'keystore.p12': keyStoreOf({ certificate, key, password }),
    ...(trusted !== '' && { 'truststore.p12': trustStoreOf({ trusted, password, secret: key }) }),
  };
}

/** The key stores of a Secret. */
export function storesIn(live: LiveSecret | undefined): Stores {
  const names = ['keystore.p12', 'truststore.p12'];
  return Object.fromEntries(Object.entries(live?.data ?? {}).filter(([name]) => names.includes(name)));
}
