import {
  type MemberReport,
  nearlyFull,
  toldPosition,
  toldTimeline,
  wholeUpTo,
} from '../../controllers/database/ports/members.js';

/**
 * The response of Patroni at `/patroni`, with the fields that `images/postgres/bin/patroni` adds. It is untrusted, and
 * it differs between versions of Patroni.
 */
type Answer = Readonly<Record<string, unknown>>;

/** The last time that RFC 3339 can represent, at the end of the year 9999, in seconds since 1970. */
const lastMoment = 253_402_300_799;

/** Roles of an instance that leads: a primary, or the leader of a standby cluster. */
const leading: ReadonlySet<unknown> = new Set(['master', 'primary', 'standby_leader']);

/**
 * Parses the report of an instance.
 * @see https://patroni.readthedocs.io/en/latest/rest_api.html#monitoring-endpoint
 * @throws {Error} when the text is not such a response
 */
export function memberReport(body: string): MemberReport {
  const answer = recordOf(JSON.parse(body));
  if (!answer || typeof answer['state'] !== 'string') throw new Error('the response is not a Patroni status');
  const isPrimary = leading.has(answer['role']);
  const xlog = recordOf(answer['xlog']) ?? {};
  const timeline = toldTimeline(answer['timeline']);
  const position = furthest(isPrimary ? [xlog['location']] : [xlog['received_location'], xlog['replayed_location']]);
  const version = wholeUpTo(999_999, answer['server_version']);
  return {
    role: isPrimary ? 'primary' : 'replica',
    state: answer['state'],
    ...(timeline !== undefined && { timeline }),
    ...(position !== undefined && { position }),
    ...(version !== undefined && { version: `${Math.floor(version / 10_000)}.${version % 10_000}` }),
    ...(answer['pending_restart'] === true && { pendingRestart: true }),
    ...(typeof answer['parameters'] === 'string' && { parameters: answer['parameters'] }),
    ...credentialsIn(recordOf(answer['credentials'])),
    ...refusedIn(recordOf(answer['refused'])),
    ...(answer['making'] === true && { making: makingIn(answer['unread'], xlog['replayed_timestamp']) }),
    ...surroundingsIn(answer),
    ...(isPrimary && { streaming: streamingIn(answer['replication']) }),
  };
}

/** Rounds the used space, because the exact value changes with every write. */
function surroundingsIn(answer: Answer): Pick<MemberReport, 'usedPercent' | 'unarchivedSince'> {
  const { size, free } = recordOf(answer['volume']) ?? {};
  const all = wholeUpTo(Number.MAX_SAFE_INTEGER, size);
  const left = all && wholeUpTo(all, free);
  const used = all && left !== undefined ? Math.floor(100 * (1 - left / all)) : undefined;
  const since = wholeUpTo(lastMoment, answer['unarchived_since']);
  return {
    ...(used !== undefined && { usedPercent: used < nearlyFull ? used - (used % 5) : used }),
    ...(since !== undefined && { unarchivedSince: since * 1000 }),
  };
}

/** Maximum number of reported parameters, and of characters of a reason: a status must hold them. */
const most = { parameters: 8, characters: 300 };

function refusedIn(refused: Answer | undefined): Pick<MemberReport, 'refused'> {
  const told = textsIn(refused)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, most.parameters);
  return told.length === 0 ? {} : { refused: Object.fromEntries(told) };
}

function credentialsIn(told: Answer | undefined): Pick<MemberReport, 'credentials'> {
  const { certificate, applied, problem } = told ?? {};
  if (typeof certificate !== 'string') return {};
  const marks = Object.fromEntries(textsIn(recordOf(applied)));
  const why = typeof problem === 'string' && { problem: problem.slice(0, most.characters) };
  return { credentials: { certificate, applied: marks, ...why } };
}

function textsIn(record: Answer = {}): readonly (readonly [string, string])[] {
  return Object.entries(record).flatMap(([key, text]) =>
    typeof text === 'string' ? [[key, text.slice(0, most.characters)] as const] : [],
  );
}

/** @param until a time in PostgreSQL's format */
function makingIn(unread: unknown, until: unknown): NonNullable<MemberReport['making']> {
  const time = wholeUpTo(1000 * lastMoment, typeof until === 'string' ? Date.parse(until) : undefined);
  return {
    ...(time !== undefined && { until: time }),
    ...(typeof unread === 'string' && unread !== '' && { unread: unread.slice(0, 1000) }),
  };
}

/** The replicas to which it streams its log, without replicas that are being cloned. */
function streamingIn(replication: unknown): NonNullable<MemberReport['streaming']> {
  const listed: readonly unknown[] = Array.isArray(replication) ? replication : [];
  const isFollower = ({ state, application_name: name }: Answer) => state === 'streaming' && typeof name === 'string';
  const streaming = listed.map((one) => recordOf(one) ?? {}).filter(isFollower);
  const isWaitedFor = (state: unknown) => state === 'sync' || state === 'quorum';
  return Object.fromEntries(
    streaming.map((one) => [String(one['application_name']), { synchronous: isWaitedFor(one['sync_state']) }]),
  );
}

/** A replica that receives nothing reports where streaming would start, which may be before its replayed position. */
function furthest(positions: readonly unknown[]): number | undefined {
  const known = positions.flatMap((position) => toldPosition(position) ?? []);
  return known.length > 0 ? Math.max(...known) : undefined;
}

function recordOf(value: unknown): Answer | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Answer) : undefined;
}
