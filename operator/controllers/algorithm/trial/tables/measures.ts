import type { AlgorithmResource } from '../../../../../imports/index.js';

/** One measure of a version on trial and its distance from the target, as text for users. */
export interface Measure {
  readonly name: string;
  readonly value: string;
  /** The worst value that is possible with 95% confidence. */
  readonly atWorst: string;
  readonly wanted: string;
  /** Distance from the worst value to the target: `+` if the version is proved good, `-` with the missing amount. */
  readonly distance: string;
  readonly verdict: string;
}

interface Found {
  readonly verdict: string;
  readonly value?: number | undefined;
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

/** The format and the direction of a measure. */
interface Scale {
  readonly name: string;
  readonly wanted: number;
  readonly isBetterAbove: boolean;
  readonly written: (value: number) => string;
}

const none = '-';
const percent = (share: number) => `${Number((share * 100).toFixed(3))}%`;
const milliseconds = (seconds: number) => `${Number((seconds * 1000).toFixed(1))} ms`;
const distance = (value: number) => String(Number(value.toFixed(4)));

/** The measures of the last verdict, only those that are analyzed. */
export function measuresOf({ spec, status }: AlgorithmResource): readonly Measure[] {
  const { lifecycle } = spec;
  const { success, latency, drift } = status?.verdict ?? {};
  if (!lifecycle) return [];
  const target = spec.scaling?.targetLatencyMs;
  return [
    ...measured(success, {
      ...{ name: 'success', wanted: lifecycle.successThreshold, isBetterAbove: true, written: percent },
    }),
    ...(lifecycle.latency && target !== undefined
      ? measured(latency, {
          ...{ name: `latency p${lifecycle.latency.percentile}`, wanted: target / 1000 },
          ...{ isBetterAbove: false, written: milliseconds },
        })
      : []),
    ...(lifecycle.drift
      ? measured(drift, {
          ...{ name: `drift ${lifecycle.drift.method}`, wanted: lifecycle.drift.threshold },
          ...{ isBetterAbove: false, written: distance },
        })
      : []),
  ];
}

function measured(found: Found | undefined, { name, wanted, isBetterAbove, written }: Scale): readonly Measure[] {
  if (!found) return [];
  const sign = isBetterAbove ? '>=' : '<=';
  const worst = isBetterAbove ? found.atLeast : found.atMost;
  const gap = worst === undefined ? undefined : isBetterAbove ? worst - wanted : wanted - worst;
  return [
    {
      name,
      value: found.value === undefined ? none : written(found.value),
      atWorst: worst === undefined ? none : `${sign} ${written(worst)}`,
      wanted: `${sign} ${written(wanted)}`,
      distance: gap === undefined ? none : `${gap < 0 ? '-' : '+'}${written(Math.abs(gap))}`,
      verdict: found.verdict,
    },
  ];
}
