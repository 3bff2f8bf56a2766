import type { LogLine, Replica } from './replica.js';

/** What a replica may say in anger while such things are done to it. */
const explained: readonly RegExp[] = [
  /injected by the fault proxy/,
  /: no answer: /, // reset, refused, cut
  /the watch ended at once/,
  /no word in \d+ s/, // a frozen watch
  /the operator stops|the term of the lease is over/,
  /apiserver (is shutting down|not ready)|etcdserver|leader changed|storage is \(re\)initializing|not yet ready/,
];

/** The lines of a replica that nothing which was done to it explains. */
export async function complaintsOf(replica: Replica): Promise<readonly string[]> {
  const lines = await replica.log();
  return lines.filter(isComplaint).map((line) => `${replica.props.name}: ${textOf(line)}`);
}

function isComplaint(line: LogLine): boolean {
  if (line.level === 'stderr') return true;
  return line.level !== 'info' && line.level !== 'debug' && !explained.some((reason) => reason.test(textOf(line)));
}

function textOf({ msg, ...fields }: LogLine): string {
  return fields.level === 'stderr' ? msg : `${msg} ${JSON.stringify(fields)}`;
}
