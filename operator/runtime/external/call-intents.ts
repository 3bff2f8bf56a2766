import type { Controller } from '../controller/controller.js';
import type { CustomResource } from '../controller/custom-resource.js';
import { reportsElsewhere } from '../controller/owned-status.js';
import { isApiError, OutdatedError } from '../kubernetes/errors.js';
import { isRecord } from '../kubernetes/json.js';
import { keyOf } from '../kubernetes/object.js';
import { isPaused } from '../kubernetes/pause.js';
import { timestampOf } from '../kubernetes/timestamp.js';
import { managerOf } from '../kubernetes/well-known-names.js';
import { overVersion, type PatchOperation } from '../ports/cluster.js';
import type { DesiredCall } from '../rendering/external-call.js';
import type { Sends } from './call-attempt.js';
import type { ExternalContext } from './external-context.js';

/** An irreversible call that may have been sent. It is in `status.externalCalls` before the call leaves. */
export interface CallIntent {
  /** The name of the call. */
  readonly name: string;
  /** Equal for equal requests. */
  readonly hash: string;
  /** RFC 3339: when it was about to be sent. */
  readonly time: string;
  /** How often the same request was sent, with this time. @default 1 */
  readonly count?: number;
  /** RFC 3339: when it was sent first. @default - the time */
  readonly firstTime?: string;
}

/** The intents in the status of a resource. Entries that others wrote in another form do not count, nor a status of others. */
export function callIntentsOf({
  controller,
  resource: { status },
}: {
  readonly controller: Pick<Controller, 'reportsTo'>;
  readonly resource: CustomResource;
}): readonly CallIntent[] {
  if (reportsElsewhere(controller)) return [];
  const { externalCalls } = (status ?? {}) as { readonly externalCalls?: unknown };
  if (!Array.isArray(externalCalls)) return [];
  return externalCalls.filter(
    (one): one is CallIntent => isRecord(one) && typeof one['name'] === 'string' && typeof one['hash'] === 'string',
  );
}

/**
 * How often a call was sent, as its intent tells. Another version of the operator, or a schema without the fields, leaves
 * them out. @param now milliseconds since 1970, for an entry without a time
 */
export function sendsIn(
  { count, time, firstTime = time }: CallIntent,
  now: number,
): Sends & { readonly lastAt: number } {
  const at = (text: unknown, otherwise: number) => Date.parse(String(text)) || otherwise;
  const lastAt = at(time, now);
  const isCount = Number.isSafeInteger(count) && (count ?? 0) > 0;
  return { count: isCount ? (count ?? 1) : 1, firstAt: at(firstTime, lastAt), lastAt };
}

/**
 * Writes the intent of a call over the observed version, which proves that the resource is as it was observed.
 * @throws {OutdatedError} if it is not, or is paused since
 */
export async function writeCallIntent(
  { name, hash }: DesiredCall,
  { count, firstAt }: Sends,
  context: ExternalContext,
): Promise<void> {
  const resource = current(context);
  if (isPaused(resource)) throw new OutdatedError('the resource was paused during its reconcile');
  const others = callIntentsOf({ ...context, resource }).filter((intent) => intent.name !== name);
  const time = timestampOf(new Date(context.clock.now()));
  const intent = { name, hash, time, count, firstTime: timestampOf(new Date(firstAt)) };
  const written = await patchIntents([...others, intent], resource, context);
  const isKept =
    written && callIntentsOf({ ...context, resource: written }).some((one) => one.name === name && one.hash === hash);
  if (!isKept)
    throw new Error(
      `the API server dropped status.externalCalls of ${context.controller.kind.kind}: add it to its schema`,
    );
}

/** Removes the intents of calls whose effect was observed. Sends nothing if there are none. @returns whether there were */
export async function clearCallIntents(
  isPending: (name: string) => boolean,
  context: ExternalContext,
): Promise<boolean> {
  const resource = current(context);
  const intents = callIntentsOf({ ...context, resource });
  const kept = intents.filter(({ name }) => isPending(name));
  if (kept.length === intents.length) return false;
  await patchIntents(kept, resource, context);
  return true;
}

/** The resource as the cache holds it, with the reconcile's own writes. @throws {OutdatedError} if it is another state */
function current({ controller, resource, stores }: ExternalContext): CustomResource {
  const now = stores.of(controller.kind).get(keyOf(resource.metadata)) as CustomResource | undefined;
  const { uid, generation } = resource.metadata;
  if (now?.metadata.uid === uid && now.metadata.generation === generation) return now;
  throw new OutdatedError('the resource was edited during its reconcile');
}

async function patchIntents(
  intents: readonly CallIntent[],
  resource: CustomResource,
  { cluster, controller: { kind, name }, signal, stores, telemetry }: ExternalContext,
): Promise<CustomResource | undefined> {
  telemetry.wrote({ controller: name, kind: kind.kind, verb: 'status' });
  const whole: PatchOperation =
    resource.status === undefined
      ? { op: 'add', path: '/status', value: { externalCalls: intents } }
      : { op: 'add', path: '/status/externalCalls', value: intents };
  const options = { manager: managerOf(name), subresource: 'status', signal } as const;
  const send = () => cluster.patch(kind, resource.metadata, [overVersion(resource), whole], options);
  try {
    return (await stores.of(kind).write(keyOf(resource.metadata), send, name)) as CustomResource | undefined;
  } catch (error) {
    if (isApiError(error, 'Conflict')) throw new OutdatedError('the resource changed during its reconcile');
    throw error;
  }
}
