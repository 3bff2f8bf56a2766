import { text, time } from '../fields/status-fields.js';
import { boolean, integer, keyedList, object, string } from '../schema/index.js';

/** The most candidates of an election. Each one is asked every few seconds. */
export const mostCandidates = 32;

const counter = (description: string) => integer(description, { minimum: 0, format: 'int64', optional: true });

const members = keyedList(
  'Processes that may have confirmed writes. One that is gone stays until each other one has what it had.',
  ['boot'],
  object('Process of a candidate.', {
    boot: string('Identifies the start of the launcher.', { maxLength: 64 }),
    name: string('Name of the Pod.', { maxLength: 253 }),
    uid: string('UID of the Pod.', { maxLength: 64 }),
    isComplete: boolean('Whether it had a complete copy, so that it may have confirmed writes.', { optional: true }),
    goneSince: time('Time at which the process was first seen to be gone.'),
    goneAt: counter('Offset of the leader after the process was gone.'),
  }),
  { maxItems: 128, optional: true },
);

const states = keyedList(
  'Observed state of each Pod that the selector matches.',
  ['name'],
  object('Observed state of one candidate.', {
    name: string('Name of the Pod.', { maxLength: 253 }),
    state: string('State in one word, such as `Leader`, `Replica` or `Unreachable`.', { maxLength: 32 }),
    zone: text('Zone of its node.', 63),
    offset: counter('Offset of its data in the replication history.'),
    message: text('Reason for which it could not lead.', 512),
  }),
  { maxItems: 64, optional: true },
);

/** The observed state of a LeaderElection. */
export const leaderElectionStatus = object('Observed state of the election. The operator writes it.', {
  leader: text('Name of the Pod that leads. Absent without a leader.'),
  leaderUid: text('UID of that Pod.', 64),
  term: counter('Term of the leader. It rises by one with each new leader.'),
  since: time('Time at which the leader was named.'),
  candidates: text('Candidates that could lead, out of all Pods that the selector matches.', 16),
  replicationId: text('Replication history of the last leader.', 64),
  historyTerm: counter('Term of the leader whose history that is.'),
  historyHolder: text('That leader, as the Lease names it: Pod, UID and process.', 400),
  names: keyedList(
    'Names of Pods whose data belongs to the history. The data of other Pods is never overwritten.',
    ['name'],
    object('Name of a Pod.', { name: string('Name.', { maxLength: 253 }) }),
    { maxItems: 128, optional: true },
  ),
  members,
  states,
  requested: text('Last value of the annotation `reconstruct.dev/switchover` that was handled.', 1024),
  demotingSince: time('Time at which the demotion of a leader without launcher began. Absent while none is demoted.'),
  lostAt: time('Time at which the operator noticed that the last leader was lost. Absent while a leader serves.'),
  takeoverSeconds: integer('Seconds from then until the present leader served.', { minimum: 0, optional: true }),
});
