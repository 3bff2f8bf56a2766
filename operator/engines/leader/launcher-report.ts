import type { ApplicationReport, LauncherReport } from '../../controllers/leader/ports/launchers.js';
import { isRecord } from '../../runtime/kubernetes/json.js';

type Said = Readonly<Record<string, unknown>>;

/** The report of a launcher. Its image may be another one, so each field is checked. @throws {Error} if it is no report */
export function launcherReport(text: string): LauncherReport {
  const said = recordOf(parsed(text));
  const [name, uid, boot] = [textIn(said, 'name'), textIn(said, 'uid'), textIn(said, 'boot')];
  const role = (['leader', 'replica', 'none'] as const).find((one) => one === said['role']);
  const [term, fencedAt] = [countIn(said, 'term'), countIn(said, 'fencedAt')];
  if (!name || !uid || !boot || !role || term === undefined || fencedAt === undefined)
    throw new Error('the answer is no report');
  const authority = (['Lease', 'Promises'] as const).find((one) => one === said['authority']);
  const promised = recordOf(said['promisedTo']);
  const promise = { term: countIn(promised, 'term'), boot: textIn(promised, 'boot') };
  const failed = recordOf(said['handover']);
  const problem = textIn(said, 'problem');
  return {
    ...{ name, uid, boot, term, role, leads: said['leads'] === true, fencedAt },
    ...(authority && { authority }),
    ...(promise.term !== undefined && promise.boot && { promisedTo: { term: promise.term, boot: promise.boot } }),
    ...(countIn(failed, 'term') !== undefined && {
      handover: {
        term: countIn(failed, 'term') ?? 0,
        to: textIn(failed, 'to') ?? '',
        problem: textIn(failed, 'problem') ?? '',
        ...(typeof failed['request'] === 'string' && { request: failed['request'] }),
      },
    }),
    ...(problem && { problem }),
    application: applicationReport(recordOf(said['application'])),
  };
}

function applicationReport(said: Said): ApplicationReport {
  const second = textIn(said, 'secondReplicationId');
  const confirmers = said['confirmedBy'];
  return {
    isRunning: said['isRunning'] === true,
    version: textIn(said, 'version') ?? '',
    replicationId: textIn(said, 'replicationId') ?? '',
    ...(second && { secondReplicationId: second }),
    ...present('secondOffset', countIn(said, 'secondOffset')),
    ...present('offset', countIn(said, 'offset')),
    isComplete: said['isComplete'] === true,
    ...present('hasData', booleanIn(said, 'hasData')),
    ...present('isLinked', booleanIn(said, 'isLinked')),
    ...present('isFresh', booleanIn(said, 'isFresh')),
    ...(Array.isArray(confirmers) && {
      confirmedBy: confirmers.slice(0, mostConfirmers).map((one) => short(String(one))),
    }),
  };
}

/** Replicas of one leader in an answer. */
const mostConfirmers = 100;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the answer is no JSON');
  }
}

function present<K extends string, V>(name: K, value: V | undefined): { readonly [N in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [N in K]?: V };
}

function recordOf(value: unknown): Said {
  return isRecord(value) && !Array.isArray(value) ? value : {};
}

/** Texts reach conditions: one line, of bounded length. Undefined for none. */
function textIn(said: Said, name: string): string | undefined {
  const value = said[name];
  return typeof value === 'string' && value !== '' ? short(value) : undefined;
}

function short(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, 300);
}

function booleanIn(said: Said, name: string): boolean | undefined {
  const value = said[name];
  return typeof value === 'boolean' ? value : undefined;
}

/** A number that a status can have: the API server refuses the whole status for any other. */
function countIn(said: Said, name: string): number | undefined {
  const value = said[name];
  return typeof value === 'number' && value >= 0 && Number.isSafeInteger(value) ? value : undefined;
}
