import type { ServicePublicationResource } from '../../../../imports/index.js';
import { relativeTime, type Shown, type Table } from '../../../runtime/index.js';

/** The addresses, and the state of each target. */
export function statusTables({ resource: { spec, status }, now }: Shown<ServicePublicationResource>): readonly Table[] {
  const source = spec.service ?? spec.gateway ?? spec.httpRoute;
  const drain = status?.drainSeconds === undefined ? undefined : `${status.drainSeconds}s`;
  const targets = (status?.targets ?? []).map(({ type, where, state, records, since, message }) => ({
    ...{ TARGET: type, WHERE: where, STATE: state, RECORDS: records },
    ...{ SINCE: relativeTime(since, now), MESSAGE: message },
  }));
  const times = { STALE: relativeTime(status?.staleSince, now), DRAIN: drain };
  const summary = { rows: [{ SOURCE: source, ADDRESSES: status?.summary, ...times }] };
  return targets.length > 0 ? [summary, { title: 'Targets', rows: targets }] : [summary];
}
