import { timestampOf } from '../../../runtime/index.js';
import type { LauncherReport } from '../ports/launchers.js';
import type { CandidateIdentity } from '../ports/roles.js';
import type { Candidate } from './candidate.js';
import { isHeard, isInHistory, type WithData } from './history.js';
import type { Member } from './memory.js';

/** What the launchers said at one time while a leader leads. */
export interface Roll {
  readonly members: readonly Member[];
  readonly names: readonly string[];
  readonly candidates: readonly Candidate[];
  /** The leader whose history the status has. It has every write that was confirmed until it ended. */
  readonly historian: CandidateIdentity | undefined;
  /** The leader, whose launcher says that it leads. */
  readonly leader: WithData;
  /** When the launchers were asked, in milliseconds since 1970. */
  readonly at: number;
}

/** The longest lists in a status. */
const most = 128;

/**
 * Whether the data of a candidate may be overwritten by that of the leader: it has none, it is a part of the leader's, or the
 * Pod of its name has belonged to the election before.
 */
export function isAdmissible(candidate: Candidate, { names, leader }: Pick<Roll, 'names' | 'leader'>): boolean {
  if (!isHeard(candidate)) return false;
  const { application } = candidate.report;
  if (names.includes(candidate.name) || application.hasData === false) return true;
  const { replicationId, secondReplicationId, secondOffset = 0 } = leader.report.application;
  if (isInHistory(application, replicationId)) return true;
  return application.replicationId === secondReplicationId && (application.offset ?? 0) <= secondOffset;
}

/** Candidates with data of their own, which the election leaves alone. */
export function strangers({
  candidates,
  ...roll
}: Pick<Roll, 'candidates' | 'names' | 'leader'>): readonly Candidate[] {
  return candidates.filter(
    (one) => one.uid !== roll.leader.uid && one.report?.application.hasData === true && !isAdmissible(one, roll),
  );
}

/**
 * The processes that may confirm writes of the leader. Each one is in the status before it is told to follow. One that is
 * gone leaves when each other one has all that the leader had written until then, so that nothing depends on it any more.
 */
export function membersAfter(roll: Roll): readonly Member[] {
  const { members, candidates, leader } = roll;
  const known = [...members, ...predecessorIn(roll)].filter(({ boot }) => boot !== leader.report.boot);
  const joining = candidates.flatMap((candidate): Member[] => {
    const { report, name, uid } = candidate;
    if (!report || uid === leader.uid || known.some(({ boot }) => boot === report.boot)) return [];
    return isAdmissible(candidate, roll) ? [{ boot: report.boot, name, uid }] : [];
  });
  const seen = [...known, ...joining].map((member) => seenMember(member, roll));
  return seen.filter((member) => !isReplaced(member, seen, roll)).slice(-most);
}

function seenMember({ boot, name, uid, isComplete, goneSince, goneAt }: Member, roll: Roll): Member {
  const report = roll.candidates.find((one) => one.report?.boot === boot)?.report;
  const complete = isComplete || (report && hasCopy(report, roll.leader.report)) ? { isComplete: true } : {};
  const identity = { boot, name, uid, ...complete };
  if (report || !isGone({ boot, uid }, roll)) return identity;
  if (goneSince === undefined) return { ...identity, goneSince: timestampOf(new Date(roll.at)) };
  const { offset } = roll.leader.report.application;
  // The answer must be of a later time than the first one without the process. Times have whole seconds.
  const isLater = roll.at >= Date.parse(goneSince) + 2_000;
  const at = goneAt ?? (isLater ? offset : undefined);
  return { ...identity, goneSince, ...(at !== undefined && { goneAt: at }) };
}

/** An earlier leader confirms nothing more, and counts like a replica: it has all that its replicas have confirmed. */
function predecessorIn({ historian, members, leader }: Roll): readonly Member[] {
  if (!historian || historian.boot === leader.report.boot) return [];
  return members.some(({ boot }) => boot === historian.boot) ? [] : [{ ...historian, isComplete: true }];
}

/**
 * Whether a process confirms nothing to the present leader: its Pod is gone, another process answers there, or it is silent
 * and was not told to follow that leader. A silent replica may still confirm writes.
 */
function isGone({ boot, uid }: Pick<Member, 'boot' | 'uid'>, { candidates, leader }: Roll): boolean {
  const candidate = candidates.find((one) => one.uid === uid);
  if (!candidate) return true;
  const { report, told } = candidate;
  if (report) return report.boot !== boot;
  const isFollowing =
    told?.role?.boot === boot && told.role.role === 'replica' && told.role.term === leader.report.term;
  return told !== undefined && !isFollowing;
}

function hasCopy({ role, term, application }: LauncherReport, leader: LauncherReport): boolean {
  const isFollowing = role === 'replica' && term === leader.term && application.isComplete && application.isLinked;
  return Boolean(isFollowing) && application.replicationId === leader.application.replicationId;
}

function isReplaced({ goneAt }: Member, all: readonly Member[], { candidates, leader }: Roll): boolean {
  if (goneAt === undefined) return false;
  const others = all.filter(({ goneSince, isComplete }) => goneSince === undefined && isComplete);
  // Without another replica, the leader alone has what this process had. A copy that ends later may begin before it.
  if (others.length === 0) return false;
  return others.every(({ boot }) => {
    const application = candidates.find(({ report }) => report?.boot === boot)?.report?.application;
    const isSame = application?.replicationId === leader.report.application.replicationId;
    return isSame && (application?.offset ?? -1) >= goneAt;
  });
}

/** The names of Pods whose data may be overwritten. Those that exist no more are forgotten first. */
export function namesAfter({ names, candidates, leader }: Roll, members: readonly Member[]): readonly string[] {
  const all = [...new Set([...names, leader.name, ...members.map(({ name }) => name)])];
  const exists = (name: string) => candidates.some((one) => one.name === name);
  const forgotten = all.filter((name) => !exists(name)).slice(0, Math.max(0, all.length - most));
  return all.filter((name) => !forgotten.includes(name)).slice(-most);
}
