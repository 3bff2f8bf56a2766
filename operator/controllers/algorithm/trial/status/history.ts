import type { AlgorithmStatusHistory } from '../../../../../imports/index.js';
import { type TrialPhase, untriedBecause } from '../next-action.js';
import type { TrialRecord } from '../record.js';
import type { Situation } from '../situation.js';

type Entry = AlgorithmStatusHistory;

/** Versions that are told of. */
const longest = 10;

/** What happened between two looks. */
export interface Passage {
  readonly situation: Situation;
  readonly course: TrialPhase;
  /** The trial after this look. */
  readonly record: TrialRecord | undefined;
  /** RFC 3339. Asked only where something is to be told. */
  now(): string;
}

/** The versions that were tried or ran, the newest first. It follows from what is there: told once, whoever looks again. */
export function historyOf(passage: Passage): readonly Entry[] {
  const before = passage.situation.resource.status?.history ?? [];
  const told = withPromotion(withEnd(before, passage), passage);
  return told.length > longest ? told.slice(0, longest) : told;
}

/** A trial that has ended without a promotion, or whose promotion was undone. */
function withEnd(history: readonly Entry[], { situation, record, now }: Passage): readonly Entry[] {
  const { record: last, wanted, resource } = situation;
  if (!last || last.state.stage === 'takenBack') return history;
  const running = runningIn(history);
  if (record?.id === last.id && record.fault !== undefined) {
    const outcome = record.fault === 'Aborted' ? 'Aborted' : 'RolledBack';
    const end = { to: now(), outcome, why: record.sentence } as const;
    if (running?.revision === record.revision)
      return history.map((one) => (one === running ? { ...one, ...end } : one));
    return [{ revision: record.revision, image: resource.spec.image, from: record.since, ...end }, ...history];
  }
  if (last.state.stage !== 'steps' || last.revision === wanted.name) return history;
  const isBack = situation.isStable;
  const why = isBack ? 'the spec went back to the stable version' : 'the spec changed in the middle of its trial';
  const outcome = isBack ? 'Withdrawn' : 'Superseded';
  const image = resource.status?.trial?.image ?? '';
  return [{ revision: last.revision, image, from: last.since, to: now(), outcome, why }, ...history];
}

function withPromotion(history: readonly Entry[], passage: Passage): readonly Entry[] {
  const { stable } = passage.situation.versions;
  const running = runningIn(history);
  if (!stable || running?.revision === stable.name) return history;
  const isGoing = passage.record?.fault !== undefined && passage.record.revision === stable.name;
  if (isGoing) return history; // the version before it is about to be the stable one
  const at = passage.now();
  const closed = history.map((one) => (one === running ? { ...one, to: at } : one));
  const { record } = passage.situation;
  const from = record?.revision === stable.name ? record.since : at;
  const why = promotedBecause(passage, history.length === 0);
  return [{ revision: stable.name, image: stable.version.image, from, outcome: 'Promoted', why }, ...closed];
}

function promotedBecause({ situation, course, record }: Passage, isFirst: boolean): string {
  if (isFirst) return 'the first version';
  if (course === 'undo') return 'brought back, since the version after it was taken back';
  if (record?.revision === situation.versions.stable?.name && record) return record.sentence;
  return `without a trial: ${untriedBecause(situation) ?? 'it was made the stable one'}`;
}

function runningIn(history: readonly Entry[]): Entry | undefined {
  return history.find(({ outcome, to }) => outcome === 'Promoted' && to === undefined);
}
