import { releaseAnnotation } from '../controller/finalization.js';
import { messageOf } from '../kubernetes/errors.js';
import { Namespace, Secret } from '../kubernetes/kinds.js';
import { isDeleting, nameOf, type ObjectKey, type ObjectName } from '../kubernetes/object.js';
import type { Cluster } from '../ports/cluster.js';
import { CallError } from '../ports/external-call.js';
import type { SecretData } from '../ports/external-port.js';

/** Uses the data of a Secret that a question or a call of a resource names. */
export type SecretAccess = <T>(
  of: { readonly resource: ObjectKey; readonly name: string | ObjectName | undefined; readonly signal: AbortSignal },
  use: (secret: SecretData | undefined) => Promise<T>,
) => Promise<T>;

/** For a process that reads no Secrets. */
export const noSecrets: SecretAccess = async ({ name }, use) => {
  if (name !== undefined) {
    const { name: shown } = typeof name === 'string' ? { name } : name;
    throw new CallError('unauthorized', `Secret ${shown} cannot be read here`);
  }
  return use(undefined);
};

/** Bytes. A shorter value would match parts of usual words. */
const shortest = 4;

/**
 * Reads Secrets from the API server each time, so a rotated Secret is used from then on. A plain name is a Secret in the
 * namespace of the resource: a tenant could otherwise name those of others.
 *
 * Guarantee: no value of the Secret is kept, and none is in the message of an error that leaves it, also not encoded.
 */
export function secretAccess(cluster: Pick<Cluster, 'read'>): SecretAccess {
  return async ({ resource, name: stated, signal }, use) => {
    if (stated === undefined) return use(undefined);
    const { namespace, name } = typeof stated === 'string' ? { ...nameOf(resource), name: stated } : stated;
    if (namespace === undefined) throw new CallError('unauthorized', 'a cluster-scoped resource cannot name a Secret');
    const secret = await readSecret(cluster, { namespace, name }, signal);
    try {
      return await use(secret);
    } catch (error) {
      throw redacted(error, Object.values(secret));
    }
  };
}

/**
 * The data of a Secret, as the API server has it now. Frozen.
 * @throws {CallError} `unauthorized`, if it does not exist
 */
export async function readSecret(
  cluster: Pick<Cluster, 'read'>,
  { namespace, name }: ObjectName,
  signal: AbortSignal,
): Promise<SecretData> {
  const found = await cluster.read(Secret, { ...(namespace !== undefined && { namespace }), name }, { signal });
  if (!found)
    throw new CallError('unauthorized', `Secret ${name} does not exist: ${await remedyIn(namespace, cluster, signal)}`);
  const { data = {} } = found as { readonly data?: SecretData };
  const decoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]);
  return Object.freeze(Object.fromEntries(decoded));
}

/**
 * What a person can do about a Secret that does not exist. In a namespace that is being deleted, nothing can be created,
 * and a resource whose cleanup needs the Secret holds up its deletion. An operator may not be allowed to read namespaces.
 */
async function remedyIn(
  namespace: string | undefined,
  cluster: Pick<Cluster, 'read'>,
  signal: AbortSignal,
): Promise<string> {
  const clean = `delete manually what needs the Secret to be deleted, and release the resource with the annotation ${releaseAnnotation}`;
  try {
    const found = namespace === undefined ? undefined : await cluster.read(Namespace, { name: namespace }, { signal });
    if (found && isDeleting(found))
      return `namespace ${namespace} is being deleted, so nothing can be created in it: ${clean}`;
    return `create it in namespace ${namespace}`;
  } catch {
    signal.throwIfAborted();
    return `create it in namespace ${namespace}; if the namespace is being deleted, ${clean}`;
  }
}

function redacted(error: unknown, values: readonly string[]): unknown {
  const message = messageOf(error);
  const secrets = values.flatMap(formsOf).filter((value) => value.length >= shortest);
  secrets.sort((one, other) => other.length - one.length); // a part of a value is replaced after the whole
  if (!secrets.some((value) => message.includes(value))) return error;
  const text = secrets.reduce((left, value) => left.replaceAll(value, '…'), message);
  return error instanceof CallError ? new CallError(error.kind, text, { ...optionsOf(error) }) : new Error(text);
}

/** A value as messages of servers and of clients repeat it: plain, trimmed, in base64, in a URL or in JSON. */
function formsOf(value: string): readonly string[] {
  const forms = [value, value.trim()].flatMap((text) => {
    const [padded, url] = (['base64', 'base64url'] as const).map((form) => Buffer.from(text).toString(form));
    return [text, padded ?? '', (padded ?? '').replace(/=+$/, ''), url ?? '', JSON.stringify(text).slice(1, -1)];
  });
  return [...forms, ...[value, value.trim()].map((text) => encodeURIComponent(text))];
}

function optionsOf({ mayHaveEffect, retryAfter }: CallError) {
  return { mayHaveEffect, ...(retryAfter !== undefined && { retryAfter }) };
}
