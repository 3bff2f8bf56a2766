import type { SecretRotationResource } from '../../../../imports/index.js';
import { type Credential, credentialHash, keptCredential, rotationStateName } from '../../../../src/index.js';
import { type Owned, Secret } from '../../../runtime/index.js';

/** A rotation and its Secrets. */
export interface CredentialSource {
  readonly resource: SecretRotationResource;
  readonly owned: Pick<Owned<typeof Secret>, 'of'>;
}

/** The credentials in the Secrets of a rotation. */
export interface KnownCredentials {
  readonly current?: Credential | undefined;
  readonly next?: Credential | undefined;
  /** The Secret of the operator exists, with these credentials. */
  readonly isKept: boolean;
  /** The Secret of the consumers has the current credential. */
  readonly isPublished: boolean;
  /** Identifies the credential that the current one has replaced, if the operator's Secret tells. */
  readonly replaces?: string | undefined;
  /** The data of the Secret of the consumers, in base64. Undefined if it does not exist. */
  readonly published?: Credential | undefined;
}

/**
 * Reads the credentials. The current one is in two Secrets, so that either comes back if it is deleted or edited. The
 * status identifies the right one. A credential that has just replaced that one is newer than the status.
 */
export function knownCredentials({ resource, owned }: CredentialSource): KnownCredentials {
  const { metadata, spec, status } = resource;
  const named = (name: string) => owned.of(Secret).find((secret) => secret.metadata.name === name)?.data;
  const published = named(spec.secretName);
  const state = decoded(named(rotationStateName(metadata.name)));
  const own = (data: Credential | undefined) => ownCredential(data, resource);
  const kept = own(keptCredential('current', state));
  const shown = own(decoded(published));
  const candidates = [kept, shown].filter((one) => one !== undefined);
  const { replaces } = state;
  const known = status?.credential;
  const isNewer = kept !== undefined && replaces !== undefined && replaces === known;
  const same = candidates.find((one) => credentialHash(one) === known);
  const current = isNewer ? kept : (same ?? candidates[0]);
  const isCurrent = (one: Credential | undefined) =>
    current !== undefined && one !== undefined && credentialHash(one) === credentialHash(current);
  const isKept = isCurrent(kept);
  const next = own(keptCredential('next', state));
  return {
    current,
    next,
    isKept: isKept || (current === undefined && next !== undefined),
    isPublished: isCurrent(shown),
    replaces,
    published,
  };
}

/** The keys of a credential. */
export function credentialKeys({ spec }: SecretRotationResource): readonly string[] {
  return spec.source.random?.keys ?? ['username', 'password'];
}

/** The data of a Secret as texts. */
export function decoded(data: Credential = {}): Credential {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
  );
}

/**
 * The credential in data that a user may have edited. One of another login is none: the operator would create that login,
 * and no rotation would ever refuse it.
 */
function ownCredential(data: Credential | undefined, resource: SecretRotationResource): Credential | undefined {
  const found = pick(data, credentialKeys(resource));
  if (resource.spec.source.random || !found) return found;
  return loginNames(resource.metadata.name).includes(found['username'] ?? '') ? found : undefined;
}

/** A credential has all of its keys, and no value is empty. */
function pick(data: Credential | undefined, keys: readonly string[]): Credential | undefined {
  if (!data || !keys.every((key) => Boolean(data[key]))) return undefined;
  return Object.fromEntries(keys.map((key) => [key, data[key] ?? '']));
}

/**
 * The two logins of a rotation. Their names have an underscore, so no KafkaUser has one of them.
 * @param name name of the SecretRotation
 */
export function loginNames(name: string): readonly [string, string] {
  const stem = name.replaceAll('-', '_');
  return [`${stem}_a`, `${stem}_b`];
}
