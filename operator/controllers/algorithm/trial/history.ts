import type { AlgorithmStatusHistory } from '../../../../imports/index.js';
import type { Step } from './plan/index.js';
import type { TrialRecord } from './resource/record.js';
import { type Situation, untriedBecause } from './situation.js';

type Entry = AlgorithmStatusHistory;

/** Maximum number of versions in the history. */
const longest = 10;

/** The change between two checks. */
export interface Change {
  readonly situation: Situation;
  readonly step: Step;
  /** The trial after this check. */
  readonly record: TrialRecord | undefined;
  /** RFC 3339. Called only if there is a new entry. */
  now(): string;
}

/** The versions that were tried or ran, newest first. Derived from the objects and the status, so a retry adds nothing. */
export function historyOf(change: Change): readonly Entry[] {
  const before = change.situation.resource.status?.history ?? [];
  const history = withPromotion(withEnd(before, change), change);
  return history.length > longest ? history.slice(0, longest) : history;
}

/** Adds a trial that ended without a promotion, or whose promotion was rolled back. */
function withEnd(history: readonly Entry[], { situation, record, now }: Change): readonly Entry[] {
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
  const why = isBack ? 'The spec was changed back to the stable version' : 'The spec changed during the trial';
  const outcome = isBack ? 'Withdrawn' : 'Superseded';
  const image = resource.status?.trial?.image ?? '';
  return [{ revision: last.revision, image, from: last.since, to: now(), outcome, why }, ...history];
}

function withPromotion(history: readonly Entry[], change: Change): readonly Entry[] {
  const { versions, wanted } = change.situation;
  const stable = change.step === 'untracked' ? wanted : versions.stable;
  const running = runningIn(history);
  if (!stable || running?.revision === stable.name) return history;
  const isRolledBack = change.record?.fault !== undefined && change.record.revision === stable.name;
  if (isRolledBack) return history; // the previous version is about to become the stable one
  const at = change.now();
  const closed = history.map((one) => (one === running ? { ...one, to: at } : one));
  const { record } = change.situation;
  const from = record?.revision === stable.name ? record.since : at;
  const why = promotedBecause(change, history.length === 0);
  return [{ revision: stable.name, image: stable.version.image, from, outcome: 'Promoted', why }, ...closed];
}

function promotedBecause({ situation, step, record }: Change, isFirst: boolean): string {
  if (isFirst) return 'First version';
  if (step === 'undo') return 'Restored because the version after it was rolled back';
  if (record?.revision === situation.versions.stable?.name && record) return record.sentence;
  return `Promoted without a trial: ${untriedBecause(situation) ?? 'it became the stable version'}`;
}

function runningIn(history: readonly Entry[]): Entry | undefined {
  return history.find(({ outcome, to }) => outcome === 'Promoted' && to === undefined);
}
