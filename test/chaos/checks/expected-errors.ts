import type { LogLine, Replica } from '../replica.js';

/** What a replica may say in anger while such things are done to it. */
const explained: readonly RegExp[] = [
  /injected by the fault proxy/,
  /no answer/, // reset, refused, cut, or too late
  /the watch ended at once/,
  /the watch ended before the initial list was complete/, // by a server that is too busy to keep up with who watches
  /no message within \d+ s/, // a frozen watch
  /the operator is stopping|the lease term is over/,
  /Dropped event, too many in flight/,
  /the new replicas did not become ready in time/, // there are no nodes
  /was created 20 times in 5 minutes/, // for a resource that is gone, which a frozen watch does not tell
  /Reconcile keeps meeting a newer state/, // the same
  /Failed to write the failure to the status .*(not found|the object has been modified)/, // the same
  /too old resource version/, // the server has started anew
  /apiserver (is shutting down|not ready)|etcdserver|leader changed|storage is \(re\)initializing|not yet ready/,
  /before all known HTTP paths have been installed/, // a server that has just begun
  /Pods cannot be created: .* RBAC: .*clusterrole\.rbac\.authorization\.k8s\.io "system:\S+" not found/, // others met it too
  /Pods cannot be created: .* is forbidden: User "system:serviceaccount:kube-system:\S+"/, // the same, of a server that knows no role yet
  // The controller manager met no server. What a webhook's server refuses begins with other words.
  /Pods cannot be created: (unable to (create|delete) pods: )?\w+ "[^"]*": dial tcp \S+: connect: connection refused/,
];

/** Errors of a server that has not loaded its roles and address ranges yet. */
const explainedByOutages = /is forbidden: User|failed to allocate a serviceIP .*range is full/;

/** A time for which the API server was away, or there and not yet knowing its roles. Milliseconds since 1970. */
export interface Outage {
  readonly from: number;
  readonly to: number;
}

/** Deletions of objects that the garbage collector missed during an outage. */
const removed = 'Deleted objects of a deleted resource that garbage collection missed';

/** What explains a line that nothing in its words explains. */
export interface Circumstances {
  readonly outages: readonly Outage[];
  /** UIDs of the resources that are there in the end: what is theirs nobody may have taken for left. */
  readonly alive: ReadonlySet<string>;
}

/** Milliseconds until an answer of a server that does not know its roles has found its way into a log. */
const late = 3_000;

/** The lines of a replica that nothing which was done to it explains. */
export async function complaintsOf(
  replica: Pick<Replica, 'log'> & { readonly props: Pick<Replica['props'], 'name'> },
  { outages, alive }: Circumstances,
): Promise<readonly string[]> {
  const lines = (await replica.log())
    .filter(isComplaint)
    .filter((line) => !isOfOutage(line, outages) && !isOfNobody(line, alive));
  return lines.map((line) => `${replica.props.name}: ${textOf(line)}`);
}

function isOfOutage({ error, time }: LogLine, outages: readonly Outage[]): boolean {
  const at = Date.parse(String(time));
  return explainedByOutages.test(error ?? '') && outages.some(({ from, to }) => at >= from && at <= to + late);
}

function isOfNobody({ msg, owner }: LogLine, alive: ReadonlySet<string>): boolean {
  return msg === removed && typeof owner === 'string' && !alive.has(owner);
}

function isComplaint(line: LogLine): boolean {
  if (line.level === 'stderr') return true;
  return line.level !== 'info' && line.level !== 'debug' && !explained.some((reason) => reason.test(textOf(line)));
}

function textOf({ msg, note = '', ...fields }: LogLine): string {
  return fields.level === 'stderr' ? msg : `${msg} ${note} ${JSON.stringify(fields)}`;
}
