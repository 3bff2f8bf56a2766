import type { Port } from '../../../runtime/index.js';

/** An ACME server. */
export interface AcmeServer {
  /** URL of its directory. */
  readonly directory: string;
  /** CA certificates that the server's own certificate must chain to, PEM. @default - those of Node.js */
  readonly caBundle?: string;
}

/** An account of an ACME server. A poll or call of it names the Secret with its private key under {@link accountKey}. */
export interface AcmeAccount extends AcmeServer {
  /** URL of the account, from the {@link AccountAnswer}. */
  readonly account: string;
}

/** The key of an account's Secret that has its private key: RSA or ECDSA, PEM. */
export const accountKey = 'tls.key';

/** The key of a Secret that has the HMAC key of an external account: base64url, as certificate authorities hand it out. */
export const externalAccountKey = 'secret';

/** An error in the words of the server. */
export interface AcmeProblem {
  /** Without its URN, such as `rejectedIdentifier` or `dns`. @see https://datatracker.ietf.org/doc/html/rfc8555#section-6.7 */
  readonly type: string;
  readonly detail: string;
}

/** The account of the private key in the Secret that the poll names. */
export interface AccountQuestion extends AcmeServer {
  /** SubjectPublicKeyInfo of the key, in base64, so that another key is another question. @default - the key never changes */
  readonly publicKey?: string;
}

/** What to ask about the account of a key. An announced question must equal the polled one, so both are this one. */
export function accountQuestion({ directory, caBundle }: AcmeServer, publicKey: string): AccountQuestion {
  return { directory, ...(caBundle !== undefined && { caBundle }), publicKey };
}

/** The account of a private key. */
export interface AccountAnswer {
  /** Why the server refuses the key, in its words, such as that the account is deactivated. @default - it does not */
  readonly refusal?: string;
  /** Undefined if the server has no account of this key. */
  readonly account?: {
    readonly url: string;
    readonly status: 'valid' | 'deactivated' | 'revoked';
    /** URIs, such as `mailto:admin@example.com`. Servers may keep none. */
    readonly contact: readonly string[];
  };
  /** The public key, which an external account binding signs. */
  readonly publicKey: JsonWebKey;
  /** The terms that a new account accepts. @default - the server has none */
  readonly termsOfService?: string;
  /** Whether a new account requires an external account binding. */
  readonly requiresExternalAccount: boolean;
  /** The profiles of certificates: their names and descriptions. Empty if the server has none. */
  readonly profiles: Readonly<Record<string, string>>;
}

/** A public key as JSON: RFC 7517. */
export type JsonWebKey = Readonly<Record<string, string>>;

/** A signature over a public key: RFC 7515. It is worthless without the private key of the account. */
export interface JsonWebSignature {
  readonly protected: string;
  readonly payload: string;
  readonly signature: string;
}

/**
 * Creates the account of a private key, or changes the contact of an existing one. Accepts the terms of service. It has no
 * effect if the Secret has another key than {@link AccountQuestion.publicKey} by then.
 */
export interface AccountRequest extends AccountQuestion {
  /** Email address. @default - none */
  readonly email?: string;
  /** From the {@link externalAccountBinding} port. Without effect on an existing account. @default - none */
  readonly binding?: JsonWebSignature;
}

/**
 * The accounts of ACME servers. The source announces the question of an account when another answer of the server contradicts
 * that the account is in order, for example that of an order.
 */
export const acmeAccount: Port<AccountQuestion, AccountAnswer, AccountRequest> = {
  name: 'reconstruct/acme-account',
  formerName: 'acme-account',
  secrets: 'any',
  visibleWithin: 5_000,
};

/** Binds the key of a new account to an account at the certificate authority: RFC 8555, section 7.3.4. */
export interface BindingQuestion extends AcmeServer {
  /** The key identifier of the external account. */
  readonly keyId: string;
  /** The public key of the {@link AccountAnswer}. */
  readonly publicKey: JsonWebKey;
}

/**
 * Signs external account bindings. A poll names the Secret with the HMAC key under {@link externalAccountKey}. A separate port,
 * because a call gets one Secret, and that of the call which creates the account has the account's private key.
 */
export const externalAccountBinding: Port<BindingQuestion, JsonWebSignature> = {
  name: 'reconstruct/acme-binding',
  secrets: 'any',
};

/** What an order is for. */
export interface OrderPurpose {
  /** Identifies one attempt to issue one certificate. */
  readonly id: string;
  /** DNS names and IP addresses. */
  readonly names: readonly string[];
  /** @default - the server chooses */
  readonly profile?: string;
}

/** An order, by its URL or by its purpose. */
export interface OrderQuestion extends AcmeAccount, OrderPurpose {
  /** URL of an order, for a process that created none for the purpose. @default - only an order of this process is known */
  readonly order?: string;
}

/** The state of an order. */
export interface AcmeOrder {
  readonly url: string;
  readonly status: 'pending' | 'ready' | 'processing' | 'valid' | 'invalid';
  /** DNS names and IP addresses, as the server has them. Sorted. */
  readonly names: readonly string[];
  /** When the server drops it, in milliseconds since 1970. @default - the server does not tell */
  readonly expires?: number;
  /** Why it is invalid. */
  readonly problem?: AcmeProblem;
  /** Sorted by name. Empty if the order is neither pending nor invalid. */
  readonly authorizations: readonly AcmeAuthorization[];
  /** The certificate and its chain, PEM. Only of a valid order. */
  readonly chain?: string;
}

/** The proof of control over one name. */
export interface AcmeAuthorization {
  readonly url: string;
  /** A DNS name without `*.`, or an IP address. */
  readonly name: string;
  readonly isWildcard: boolean;
  readonly status: 'pending' | 'valid' | 'invalid' | 'deactivated' | 'expired' | 'revoked';
  /** Those that can be solved: `http-01` and `dns-01`. */
  readonly challenges: readonly AcmeChallenge[];
}

/** One way to prove it. */
export interface AcmeChallenge {
  readonly type: 'http-01' | 'dns-01';
  readonly url: string;
  readonly status: 'pending' | 'processing' | 'valid' | 'invalid';
  readonly token: string;
  /** What `http://<name>/.well-known/acme-challenge/<token>` must answer. Not secret. */
  readonly keyAuthorization: string;
  /** The value of the TXT record `_acme-challenge.<name>`. Only of `dns-01`. */
  readonly record?: string;
  /** Why it failed. */
  readonly problem?: AcmeProblem;
}

/** What is known of an order. */
export interface OrderAnswer {
  /**
   * Undefined if the question has no `order` and this process created none for its purpose. An earlier process may have: the
   * controller writes the URL into the status as soon as an answer has it.
   */
  readonly order?: AcmeOrder;
  /** True if the server no longer has the order, or the order is another account's. */
  readonly isGone?: true;
}

/**
 * Changes an order. `create` starts an order, at most one for a purpose in the life of this process. `respond` tells the server to
 * validate a challenge, `finalize` requests the certificate. Each is without effect if the server is past that step.
 */
export type OrderRequest = AcmeAccount &
  (
    | ({
        readonly act: 'create';
        /**
         * Identifier of the certificate that it renews, which servers then do not count. If the server does not accept that, the
         * order replaces none. @default - none
         */
        readonly replaces?: string;
      } & OrderPurpose)
    | {
        readonly act: 'respond';
        readonly order: string;
        /** URL of its authorization. */
        readonly authorization: string;
        /** URL. */
        readonly challenge: string;
      }
    | {
        readonly act: 'finalize';
        readonly order: string;
        /** Certificate signing request, PEM. */
        readonly csr: string;
      }
  );

/** Orders of ACME servers. An answer takes two requests and two more for each pending name, so give a poll or call 30 s. */
export const acmeOrder: Port<OrderQuestion, OrderAnswer, OrderRequest> = {
  name: 'reconstruct/acme-order',
  formerName: 'acme-order',
  secrets: 'any',
  visibleWithin: 0,
};

/** A certificate that an account ordered. */
export interface RevocationQuestion extends AcmeAccount {
  /** PEM. */
  readonly certificate: string;
}

/** Revokes a certificate. */
export interface RevocationRequest extends RevocationQuestion {
  /** @default 0, unspecified. @see https://datatracker.ietf.org/doc/html/rfc5280#section-5.3.1 */
  readonly reason?: number;
}

/** ACME has no question for this, so `unknown` is all that a process knows before the server accepts a revocation. */
export interface RevocationAnswer {
  readonly state: 'revoked' | 'unknown';
}

/** Revocation of certificates. A request for a revoked certificate succeeds, so a new process sends it again. */
export const acmeRevocation: Port<RevocationQuestion, RevocationAnswer, RevocationRequest> = {
  name: 'reconstruct/acme-revocation',
  formerName: 'acme-revocation',
  secrets: 'any',
};

/** A response that the server is going to look for. */
export type VisibilityQuestion =
  | { readonly type: 'http-01'; readonly name: string; readonly token: string; readonly keyAuthorization: string }
  | { readonly type: 'dns-01'; readonly name: string; readonly record: string };

/** Whether the response is in place. */
export type VisibilityAnswer = { readonly isVisible: true } | { readonly isVisible: false; readonly why: string };

/**
 * Looks for the response to a challenge as a certificate authority does: by HTTP on port 80, or for a TXT record at all
 * authoritative servers of the zone. A failed validation costs an order, and servers limit these.
 */
export const challengeVisibility: Port<VisibilityQuestion, VisibilityAnswer> = { name: 'reconstruct/acme-visibility' };
