import { hash } from 'node:crypto';
import { Construct, type IConstruct } from 'constructs';
import type { Controller } from '../controller/controller.js';
import { reportsElsewhere } from '../controller/owned-status.js';
import type { ObjectName } from '../kubernetes/object.js';
import { type Port, visibleWithinOf } from '../ports/external-port.js';

/** A change of something outside of the cluster. `R` is the type of the port's requests. */
export interface ExternalCallProps<R> {
  /** One of the controller's `calls`. */
  readonly port: Port<never, unknown, R>;
  /** Plain JSON without secrets: it is logged, except for the fields in `unlogged` of the port. */
  readonly request: R;
  /**
   * The names of the polls that show the effect. They are asked anew after the call, and the call is sent only while each
   * of them has an answer that is newer than every earlier call of the resource.
   */
  readonly refreshes: readonly string[];
  /** The names of calls whose effect must show first. @default [] */
  readonly after?: readonly string[];
  /** Belongs to the port, because a new process must know it before it renders a call. */
  readonly visibleWithin?: never;
  /**
   * The name of a Secret in the namespace of the resource, or in another one. It is read for each call, and its data is
   * passed to the performer. Never take the namespace from a field that the users of a namespace can write.
   * @default - the performer gets no Secret
   */
  readonly secret?: string | ObjectName;
  /** Milliseconds until the call times out, at most one minute. @default 10_000 */
  readonly timeout?: number;
  /**
   * Whether the call must not be repeated without a proof. The intent is then written to `status.externalCalls` before
   * the call is sent, so the controller must report to the status. @default false
   */
  readonly irreversible?: boolean;
  /**
   * Whether it affects nothing but what the polls in `refreshes` show, and depends on nothing else. Such a call does not wait
   * for other ones with other polls, so that a server without an answer holds up no other one. @default false
   */
  readonly independent?: boolean;
}

/**
 * A call that `desire` renders beside its objects. It reaches no manifest. The runtime performs it after the objects are
 * applied, and never assumes that it worked: the next reconcile observes. The id of the construct is the name of the call.
 *
 * @example new ExternalCall(scope, 'address', { port: dns, request: { name, address }, refreshes: ['found'] });
 */
export class ExternalCall<R = unknown> extends Construct {
  constructor(
    scope: Construct,
    id: string,
    readonly props: ExternalCallProps<R>,
  ) {
    super(scope, id);
    Object.defineProperty(this, externalCall, { value: true });
  }

  /** True for a call of any copy of this package. */
  static isExternalCall(construct: IConstruct): construct is ExternalCall {
    return externalCall in construct;
  }
}

const externalCall = Symbol.for('cdk8s-reconstruct.ExternalCall');

/** A call as `desire` rendered it. */
export interface DesiredCall {
  /** Its path below the scope. */
  readonly name: string;
  readonly port: string;
  readonly request: unknown;
  /** The request as JSON, without the fields that logs and events omit. */
  readonly logged: string;
  /** Equal for equal requests to one port. */
  readonly hash: string;
  readonly refreshes: readonly string[];
  readonly after: readonly string[];
  /** A plain name is that of a Secret in the namespace of the resource. */
  readonly secret: string | ObjectName | undefined;
  /** Milliseconds. */
  readonly visibleWithin: number;
  /** Milliseconds. */
  readonly timeout: number;
  readonly irreversible: boolean;
  readonly independent: boolean;
}

/** Milliseconds. */
const longestTimeout = 60_000;

/** What is checked of a controller. */
type CallingController = Pick<Controller, 'name' | 'calls' | 'polls' | 'kind'> & Partial<Pick<Controller, 'reportsTo'>>;

/**
 * The calls among constructs, in the order of rendering.
 * @throws {Error} if a call contradicts the declaration of the controller. The controller is then wrong, not the spec
 */
export function callsAmong(constructs: readonly IConstruct[], controller: CallingController): readonly DesiredCall[] {
  const calls = constructs.filter(ExternalCall.isExternalCall).map((call) => desiredCall(call, controller));
  const names = new Set(calls.map(({ name }) => name));
  for (const { name, after } of calls)
    if (after.includes(name)) throw new Error(`call ${name} of controller ${controller.name} waits for itself`);
  return calls.map((call) => ({ ...call, after: call.after.filter((other) => names.has(other)) }));
}

function desiredCall(
  { node, props }: ExternalCall,
  { name: controller, calls, polls, kind, ...reporting }: CallingController,
): DesiredCall {
  const name = node.scopes
    .slice(2) // the app and the chart
    .map((scope) => scope.node.id)
    .join('/');
  const refuse = (why: string) => new Error(`call ${name} of controller ${controller} ${why}`);
  const { port, request, refreshes, secret, after = [], irreversible = false, independent = false } = props;
  const declared = calls.find((one) => one.name === port.name);
  if (!declared) throw refuse(`uses port ${port.name}, which it does not declare: add it to calls`);
  if (props.visibleWithin !== undefined)
    throw refuse(
      `sets visibleWithin, which a process that renders no call could not know: set it on port ${port.name}`,
    );
  const visibleWithin = visibleWithinOf(declared);
  if (visibleWithinOf(port) !== visibleWithin)
    throw refuse(
      `uses port ${port.name} with visibleWithin ${visibleWithinOf(port)}, but calls has it with ${visibleWithin}: use one port`,
    );
  if (refreshes.length === 0) throw refuse('refreshes no poll: name one that shows its effect in refreshes');
  const unknown = refreshes.find((poll) => !Object.hasOwn(polls, poll));
  if (unknown !== undefined) throw refuse(`refreshes ${unknown}, which is no poll: declare it in polls`);
  if (irreversible && reportsElsewhere(reporting))
    throw refuse(`is irreversible, but no status of ${kind.kind} can hold its intent: make a kind of your own for it`);
  if (irreversible && !kind.statusFields?.includes('externalCalls'))
    throw refuse(`is irreversible, but the status of ${kind.kind} has no externalCalls: add it to its schema`);
  const text = JSON.stringify(request) as string | undefined;
  if (text === undefined) throw refuse('has a request that is no JSON');
  const logged = loggedText(text, port);
  // The intent of an irreversible call has a hash of the whole request.
  if (irreversible && logged !== text)
    throw refuse(`is irreversible, so its request must have none of the unlogged fields of port ${port.name}`);
  return {
    ...{ name, port: port.name, request, logged, refreshes, after, secret, irreversible, independent },
    hash: hash('sha256', `${port.formerName ?? port.name} ${text}`, 'hex').slice(0, 16),
    visibleWithin,
    timeout: Math.max(1, within(props.timeout ?? 10_000, longestTimeout)),
  };
}

function loggedText(text: string, { unlogged = [] }: Pick<Port, 'unlogged'>): string {
  if (unlogged.length === 0) return text;
  return JSON.stringify(JSON.parse(text), (key, value: unknown) => (unlogged.includes(key) ? undefined : value));
}

/** A timer treats NaN and values that are too large as zero. */
function within(ms: number, most: number): number {
  return ms >= 0 ? Math.min(ms, most) : most;
}
