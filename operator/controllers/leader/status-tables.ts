import type { LeaderElectionResource } from '../../../imports/index.js';
import { relativeTime, type Shown, type Table } from '../../runtime/index.js';

/** Who leads since when, and the state of each candidate. */
export function statusTables({ resource: { status }, now }: Shown<LeaderElectionResource>): readonly Table[] {
  const { leader, term, since, candidates, takeoverSeconds, states = [] } = status ?? {};
  const takeover = takeoverSeconds === undefined ? undefined : `${takeoverSeconds} s`;
  const rows = states.map((one) => ({
    POD: one.name,
    STATE: one.state,
    ZONE: one.zone,
    'CANNOT LEAD BECAUSE': one.message,
  }));
  const summary = {
    rows: [{ LEADER: leader, TERM: term, SINCE: relativeTime(since, now), CANDIDATES: candidates, TAKEOVER: takeover }],
  };
  return rows.length > 0 ? [summary, { title: 'Candidates', rows }] : [summary];
}
