import type { AlgorithmStatusStable, AlgorithmStatusTrial, AlgorithmStatusVerdict } from '../../../../imports/index.js';
import type { Finding, Requests, Verdict } from '../judgement/index.js';
import { type KeptVersion, shortName } from '../versions/versions.js';
import type { Step } from './plan/index.js';
import { stateText, type TrialRecord } from './resource/record.js';
import type { Situation } from './situation.js';

/** The status of the stable version. */
export function stableStatus(situation: Situation, step: Step): AlgorithmStatusStable | undefined {
  const { versions, wanted, traffic } = situation;
  // Its replicas are those of the Algorithm, which another controller reports.
  if (step === 'untracked') return { ...named(wanted), weight: 100 };
  const { stable } = versions;
  const { main } = situation;
  return stable && { ...named(stable), weight: 100 - traffic.weight, ...(main && { replicas: main.replicas }) };
}

/** The status of the version on trial, including the state from which the next step continues. */
export function trialStatus(
  situation: Situation,
  record: TrialRecord,
  verdict: Verdict | undefined,
): AlgorithmStatusTrial {
  const { trial, traffic, versions, wanted, resource } = situation;
  const kept = versions.all.find(({ name }) => name === record.revision) ?? wanted;
  const last = resource.status?.trial;
  const isSame = last?.id === record.id;
  const latencyMs = verdict?.latency?.value === undefined ? undefined : rounded(verdict.latency.value * 1000);
  const drift = verdict?.drift?.value === undefined ? undefined : rounded(verdict.drift.value);
  const { version, ...names } = named(kept);
  return {
    id: record.id,
    ...names,
    revision: record.revision,
    since: record.since,
    // Otherwise the columns of `kubectl get` would show a bake as a trial.
    ...(!isBaking(situation, record) && { version, weight: traffic.weight }),
    ...{ replicas: trial?.replicas ?? 0, readyReplicas: trial?.available ?? 0 },
    ...requestsShown(record.state.requests),
    ...measured({ latencyMs: latencyMs ?? (isSame ? last.latencyMs : undefined) }),
    ...measured({ drift: drift ?? (isSame ? last.drift : undefined) }),
    ...(record.variants && {
      variants: Object.entries(record.variants).map(([name, requests]) => ({ name, ...requestsShown(requests) })),
    }),
    state: stateText(record),
  } as AlgorithmStatusTrial;
}

/** True if the version in the spec is the stable version, and all objects of the trial are gone. */
function isBaking({ isStable, trial }: Situation, { state }: TrialRecord): boolean {
  return state.stage !== 'steps' && isStable && trial === undefined;
}

/** The status of the last verdict. @param at RFC 3339 */
export function verdictStatus(verdict: Verdict, before: AlgorithmStatusVerdict | undefined, at: string) {
  const { verdict: judgement, sentence, success, latency, drift } = verdict;
  const isSame = before?.verdict === judgement && before.sentence === sentence;
  return {
    verdict: judgement,
    sentence,
    at: isSame ? before.at : at,
    success: measure(success),
    ...(latency && { latency: measure(latency) }),
    ...(drift && { drift: measure(drift) }),
  };
}

function requestsShown({ total, failed }: Requests) {
  return { requests: total, ...(total > 0 && { success: rounded(1 - failed / total) }) };
}

function measure({ verdict, sentence, value, atLeast, atMost, count }: Finding) {
  return { verdict, sentence, count, ...measured({ value }), ...measured({ atLeast }), ...measured({ atMost }) };
}

/** Only finite numbers, because JSON has no others. */
function measured(one: Readonly<Record<string, number | undefined>>): Readonly<Record<string, number>> {
  const entries = Object.entries(one).filter((entry): entry is [string, number] => Number.isFinite(entry[1]));
  return Object.fromEntries(entries.map(([key, value]) => [key, rounded(value)]));
}

/** Rounded to six digits: more would be noise, and would differ between machines. */
function rounded(value: number): number {
  return Number(value.toPrecision(6));
}

function named({ name, version: { image } }: KeptVersion) {
  return { image, version: shortName(image), revision: name };
}
