import { type Member, type MemberObjects, membersFrom, type ObjectsOfMember } from '../../../members/index.js';
import type { LivePod } from '../../../runtime/index.js';
import { type MemberReport, toldPosition, toldTimeline } from '../ports/members.js';
import type { LogPosition } from './log-position.js';

/** Annotation of a Pod: a hash of the parameters with which its PostgreSQL started. */
export const parametersAnnotation = 'reconstruct.dev/parameters';
/** Annotation of a PVC, set before the Pod of a scaled-down instance is deleted: the timeline at that moment. */
export const leavingAnnotation = 'reconstruct.dev/leaving';
/** Label of the PVC of a diverged replica. The PVC is kept, and no instance runs on it. */
export const quarantinedLabel = 'reconstruct.dev/quarantined';

/** One instance of a Database: a member whose PostgreSQL is run by Patroni. */
export interface Instance extends Member {
  /** The number at the end of its name. */
  readonly serial: number;
  /** The timeline at which the instance was scaled down. Undefined unless its PVC has the annotation. */
  readonly leavingAt?: string | undefined;
  readonly isQuarantined: boolean;
  readonly parameters?: string | undefined;
  /** Its node is cordoned. */
  readonly isCordoned: boolean;
  /** Its Pod has the label of the primary. */
  readonly isLabelledPrimary: boolean;
  /** Its latest report. Undefined if it did not respond. */
  readonly report?: MemberReport | undefined;
  /** The node that is not ready and has its Pod, which terminates until the node is back. */
  readonly lostNode?: string | undefined;
  /** The status annotation that Patroni last wrote on its Pod. */
  readonly noted?: (Partial<LogPosition> & { readonly state?: string }) | undefined;
  /** Its last known position, which the status keeps while the instance does not report one. */
  readonly remembered?: LogPosition | undefined;
}

/** The observed objects from which instances are derived. */
export interface Seen extends MemberObjects {
  /** The name of the Database. */
  readonly database: string;
  /** Terminating Pods. Only their nodes and the annotations that Patroni wrote on them are used. @default - none */
  readonly leaving?: readonly LivePod[];
  readonly reports: Readonly<Record<string, MemberReport>>;
  /** Last known positions of instances that do not report one. @default - none */
  readonly remembered?: Readonly<Record<string, LogPosition>>;
}

/** The existing instances, ordered by serial. */
export function instancesOf(seen: Seen): readonly Instance[] {
  return membersFrom(seen, {}, (found) => instanceOf(found, seen)).toSorted((a, b) => a.serial - b.serial);
}

/** The number in the name of an instance. Undefined for other names, such as that of the archive. */
export function serialOf(name: string, database: string): number | undefined {
  const [, digits] = name.startsWith(`${database}-`)
    ? (/^-([1-9]\d{0,8})$/.exec(name.slice(database.length)) ?? [])
    : [];
  return digits === undefined ? undefined : Number(digits);
}

function instanceOf({ member, pod, claim }: ObjectsOfMember, seen: Seen): Instance | undefined {
  const { name } = member;
  const serial = serialOf(name, seen.database);
  if (serial === undefined) return undefined;
  // A terminating Pod may be the last source of a position: the Pod of a lost node terminates for a long time.
  const left = pod ?? seen.leaving?.find(({ metadata }) => metadata.name === name);
  const { annotations, labels } = left?.metadata ?? {};
  const lostNode = left?.metadata.deletionTimestamp === undefined ? undefined : lostNodeOf(left, seen);
  const role = pod && labels?.['role'];
  const noted = notedIn(annotations?.['status']);
  return {
    ...{ isCordoned: false, ...member, serial },
    leavingAt: claim?.metadata.annotations?.[leavingAnnotation],
    isQuarantined: claim?.metadata.labels?.[quarantinedLabel] !== undefined,
    isLabelledPrimary: role === 'master' || role === 'primary',
    ...(pod && { parameters: annotations?.[parametersAnnotation] }),
    ...(lostNode !== undefined && { lostNode }),
    ...{ report: seen.reports[name], remembered: seen.remembered?.[name] },
    ...(noted && { noted }),
  };
}

function lostNodeOf({ spec }: LivePod, { nodes }: Seen): string | undefined {
  return nodes.find(({ name, isReady }) => name === spec.nodeName && !isReady)?.name;
}

/**
 * Parses the annotation that Patroni writes. The JSON is untrusted, because any user who can edit Pods can change it.
 */
function notedIn(text: string | undefined): Instance['noted'] {
  if (text === undefined) return undefined;
  try {
    const { state, ...told } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const [timeline, position] = [toldTimeline(told['timeline']), toldPosition(told['xlog_location'])];
    return {
      ...(timeline !== undefined && { timeline }),
      ...(position !== undefined && { position }),
      ...(typeof state === 'string' && { state }),
    };
  } catch {
    return undefined;
  }
}
