import type {
  CoordinatorAddress,
  CoordinatorAnswer,
  CoordinatorRequest,
  LauncherFault,
  RankReport,
} from '../../controllers/training/ports/coordinator.js';
import { CallError } from '../../runtime/ports/external-call.js';
import type { PerformOptions, SourceCallOptions } from '../../runtime/ports/external-port.js';

/**
 * Bytes of the longest answer: 1,000 workers of 64 processes have less than 300 each. The image of the coordinator is that of
 * a user, so no more is read.
 */
const longestAnswer = 32 << 20;

/** Ages below this are those of a healthy process: they change with each answer, and a change wakes the controller. */
const secondsThatCount = 3;

/** Reads what a coordinator knows, or waits until it knows something else. */
export async function askCoordinator(
  address: CoordinatorAddress,
  { signal, secret, longPoll }: SourceCallOptions,
): Promise<CoordinatorAnswer> {
  const held = longPoll && new URLSearchParams({ after: longPoll.after, wait: String(longPoll.wait / 1_000) });
  const { status, body } = await requested(address, held ? `/v1/job?${held}` : '/v1/job', { signal, secret });
  if (status !== 200) throw new Error(`the coordinator answered with status ${status}: ${messageIn(body)}`);
  return answerOf(body);
}

/** Changes one thing at a coordinator. @throws {CallError} with the words of the coordinator */
export async function changeCoordinator(request: CoordinatorRequest, options: PerformOptions): Promise<void> {
  options.signal.throwIfAborted();
  options.mayLeave();
  const { path, body } = contentOf(request);
  const { status, body: answer } = await requested(request, path, options, body).catch((error: Error) => {
    if (options.signal.aborted) throw options.signal.reason;
    throw new CallError('unreachable', `the coordinator does not answer: ${error.message}`);
  });
  if (status !== 200) throw CallError.fromStatus(status, messageIn(answer));
}

function contentOf(request: CoordinatorRequest): { readonly path: string; readonly body: object } {
  if (request.act === 'suspend') return { path: '/v1/orders', body: { suspend: request.isSuspended } };
  if (request.act === 'restart') return { path: '/v1/orders', body: { restart: request.restarts } };
  const { generation, members, processes, planned, restoreBefore } = request;
  const body = { generation, members, processes, planned, ...(restoreBefore !== undefined && { restoreBefore }) };
  return { path: '/v1/generation', body };
}

interface Credentials extends Pick<SourceCallOptions, 'signal' | 'secret'> {}

async function requested(
  { host, port }: CoordinatorAddress,
  path: string,
  { signal, secret }: Credentials,
  body?: object,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(`http://${host}:${port}${path}`, {
    method: body ? 'PUT' : 'GET',
    headers: { authorization: `Bearer ${secret?.['token'] ?? ''}`, 'content-type': 'application/json' },
    redirect: 'error',
    signal,
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error: Error) => {
    throw error.cause instanceof Error ? error.cause : error;
  });
  const text = await textOf(response);
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    throw new Error(`the answer is no JSON, status ${response.status}`);
  }
}

async function textOf({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.byteLength;
    if (bytes > longestAnswer) throw new Error(`the answer has more than ${longestAnswer} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

function messageIn(body: unknown): string {
  const { error } = (body ?? {}) as { readonly error?: unknown };
  return typeof error === 'string' ? error.slice(0, 300) : 'without a reason';
}

/** Faults of an answer, the newest ones: half of those that a status keeps. */
const newestFaults = 10;

/** Characters that the status has for an identifier, without what precedes it there, and for a state. */
const longestId = 100;
const longestState = 32;

/** Characters of an output: those that a launcher keeps. */
const longestOutput = 2_048;

type Said = Readonly<Record<string, unknown>>;

/** The content of an answer. Programs write some of it, so each field is checked. */
export function answerOf(body: unknown): CoordinatorAnswer {
  const said = recordOf(body);
  const version = textIn(said, 'version');
  const orders = recordOf(said['orders']);
  return {
    ...(version !== '' && { version }),
    generation: countIn(said, 'generation') ?? 0,
    members: recordsIn(said['members']).map(identityOf),
    hasStore: typeof said['store'] === 'number',
    isSuspended: orders['suspend'] === true,
    restarts: Object.fromEntries(Object.entries(recordOf(orders['restart'])).map(([name, id]) => [name, String(id)])),
    ranks: recordsIn(said['ranks']).map(rankOf),
    launchers: recordsIn(said['launchers']).map((one) => ({ ...identityOf(one), age: secondsIn(one, 'age') })),
    faults: recordsIn(said['faults']).slice(-newestFaults).map(faultOf),
  };
}

function faultOf(said: Said): LauncherFault {
  const [exitCode, output] = [numberIn(said, 'exitCode'), said['output']];
  return {
    ...identityOf(said),
    id: textIn(said, 'id').slice(0, longestId) || `${textIn(said, 'uid')}-${numberIn(said, 'number') ?? 0}`,
    kind: textIn(said, 'kind'),
    grade: said['grade'] === 'pod' ? 'pod' : 'program',
    message: textIn(said, 'message'),
    ...(exitCode !== undefined && { exitCode }),
    ...(typeof output === 'string' && { output: output.slice(-longestOutput) }),
  };
}

function rankOf(said: Said): RankReport {
  const optional = <K extends string>(name: K, value: number | undefined) =>
    (value === undefined ? {} : { [name]: value }) as { readonly [N in K]?: number };
  const first = recordOf(said['firstNonFinite']);
  const checkpoint = recordOf(said['checkpoint']);
  const saved = countIn(checkpoint, 'step');
  return {
    ...identityOf(said),
    local: countIn(said, 'local') ?? 0,
    ...optional('rank', countIn(said, 'rank')),
    generation: countIn(said, 'generation') ?? 0,
    behind: said['behind'] === true,
    state: textIn(said, 'state').slice(0, longestState),
    step: countIn(said, 'step') ?? 0,
    ...optional('steps', countIn(said, 'steps')),
    ...(typeof said['phase'] === 'string' && { phase: said['phase'] }),
    phaseSeconds: secondsIn(said, 'phaseSeconds'),
    age: secondsIn(said, 'age'),
    ...optional('computeSeconds', numberIn(recordOf(said['seconds']), 'compute')),
    // A loss that is not finite is a text.
    ...optional('loss', numberIn(said, 'loss')),
    ...optional('firstNonFinite', countIn(first, 'step')),
    ...(saved !== undefined && { checkpoint: { step: saved, healthy: checkpoint['healthy'] !== false } }),
  };
}

const identityOf = (said: Said) => ({ worker: textIn(said, 'worker'), uid: textIn(said, 'uid') });

function recordOf(value: unknown): Said {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Said) : {};
}

function recordsIn(value: unknown): readonly Said[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}

function textIn(said: Said, name: string): string {
  const value = said[name];
  return typeof value === 'string' ? value.slice(0, 512) : '';
}

function numberIn(said: Said, name: string): number | undefined {
  const value = said[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A number that the status can have: the API server refuses the whole status for any other. */
function countIn(said: Said, name: string): number | undefined {
  const value = numberIn(said, name);
  return value !== undefined && value >= 0 && Number.isSafeInteger(value) ? value : undefined;
}

function secondsIn(said: Said, name: string): number {
  const seconds = Math.floor(numberIn(said, name) ?? 0);
  return seconds < secondsThatCount ? 0 : seconds;
}
