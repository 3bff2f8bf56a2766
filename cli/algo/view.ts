import type { AlgorithmResource } from '../../imports/index.js';
import { printable } from '../../operator/telemetry/printable-text.js';
import { alignedRows } from '../output/aligned-rows.js';
import { measuresOf } from './measures.js';
import { conditionOf } from './outcome.js';

type Status = NonNullable<AlgorithmResource['status']>;
type Side = NonNullable<Status['stable']> & { readonly variants?: NonNullable<Status['trial']>['variants'] };

const none = '-';

/** Minimum number of characters per line for a sentence, even on a narrow terminal. */
const leastWidth = 20;

/**
 * A trial as lines of text: versions, measures, steps and conditions.
 * @param width maximum number of characters of a line of a sentence; wide tables are not wrapped. @default - no limit
 */
export function viewOf(resource: AlgorithmResource, width = Number.POSITIVE_INFINITY): readonly string[] {
  const { status } = resource;
  const sides = sideRows(status);
  const measures = measuresOf(resource).map(({ name, value, atWorst, wanted, distance, verdict }) => {
    return [name, value, atWorst, wanted, distance, verdict];
  });
  return [
    headingOf(resource),
    ...paragraph(sides, ['', 'VERSION', 'WEIGHT', 'READY', 'REQUESTS', 'SUCCESS', 'LATENCY', 'DRIFT']),
    ...paragraph(measures, ['MEASURE', 'VALUE', 'AT WORST', 'WANTED', 'DISTANCE', 'VERDICT']),
    ...stepsOf(resource),
    '',
    ...sentencesOf(resource, width),
  ];
}

function headingOf({ metadata, status }: AlgorithmResource): string {
  const { namespace = '', name } = metadata;
  const since = status?.trial && `trial ${status.trial.id} since ${status.trial.since}`;
  return [`${namespace}/${name}`, status?.phase ?? 'Pending', since].filter((word) => word !== undefined).join('  ');
}

function paragraph(rows: readonly (readonly string[])[], heading: readonly string[]): readonly string[] {
  return rows.length === 0 ? [] : ['', ...alignedRows([heading, ...rows])];
}

function sideRows(status: Status | undefined): readonly (readonly string[])[] {
  const { stable, trial } = status ?? {};
  const ready = { ...stable, readyReplicas: stable?.readyReplicas ?? status?.readyReplicas };
  return [
    ...(stable ? [sideRow('stable', ready as Side)] : []),
    ...(isGiven(trial) ? [sideRow('trial', trial)] : []),
    ...(trial?.variants ?? []).map((variant) => {
      return [`variant ${variant.name}`, none, 'header', none, ...requestCells(variant), none];
    }),
  ];
}

/** True of a version on trial. During its bake it is the stable version. */
function isGiven<Trial extends { readonly weight?: number }>(
  trial: Trial | undefined,
): trial is Trial & { readonly version: string; readonly weight: number } {
  return trial?.weight !== undefined;
}

function sideRow(name: string, side: Side): readonly string[] {
  const replicas = side.replicas === undefined ? none : `${side.readyReplicas ?? 0}/${side.replicas}`;
  const drift = side.drift === undefined ? none : String(side.drift);
  return [name, side.version, `${side.weight}%`, replicas, ...requestCells(side), drift];
}

function requestCells({ requests, success, latencyMs }: Pick<Side, 'requests' | 'success' | 'latencyMs'>) {
  return [
    requests === undefined ? none : String(requests),
    success === undefined ? none : `${Number((success * 100).toFixed(3))}%`,
    latencyMs === undefined ? none : `${latencyMs} ms`,
  ];
}

/** The steps of the trial, with the current one in brackets. */
function stepsOf({ spec: { lifecycle }, status }: AlgorithmResource): readonly string[] {
  const { trial } = status ?? {};
  if (!lifecycle || !isGiven(trial)) return [];
  const steps = lifecycle.steps?.length ? lifecycle.steps : [{ weight: lifecycle.canaryWeight, for: '0s' }];
  const present = steps.findLastIndex(({ weight }) => weight <= trial.weight);
  const shown = steps.map(({ weight, for: time }, index) => {
    const step = time === '0s' ? `${weight}%` : `${weight}% for ${time}`;
    return index === present ? `[${step}]` : step;
  });
  return ['', `steps  ${shown.join(' -> ')}`];
}

function sentencesOf(resource: AlgorithmResource, width: number): readonly string[] {
  const { verdict } = resource.status ?? {};
  const said = ['Promoted', 'Routed', 'SlaMet', 'LatencyMet'].flatMap((type) => {
    const condition = conditionOf(resource, type);
    return condition ? [[type, condition.reason, condition.message ?? '']] : [];
  });
  const judged = verdict ? [['Verdict', verdict.verdict, verdict.sentence]] : [];
  const rows = [...said, ...judged];
  const [before = ''] = alignedRows([...rows, ['', '', '|']]).slice(-1);
  const left = Math.max(leastWidth, width - before.indexOf('|'));
  const broken = rows.flatMap(([type = '', reason = '', sentence = '']) =>
    wrappedLines(printable(sentence), left).map((line, index) => (index === 0 ? [type, reason, line] : ['', '', line])),
  );
  return alignedRows(broken);
}

/**
 * Wraps a text between words. A word that is longer than a line is broken.
 * @param width maximum number of characters of a line, at least 1
 */
export function wrappedLines(text: string, width: number): readonly string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const joined = `${lines.at(-1)} ${word}`;
    if (lines.at(-1) !== '' && joined.length <= width) {
      lines[lines.length - 1] = joined;
      continue;
    }
    const pieces = [''];
    for (const character of word) {
      if (`${pieces.at(-1)}${character}`.length > width) pieces.push(character);
      else pieces[pieces.length - 1] += character;
    }
    lines.push(...pieces);
  }
  return lines.slice(1);
}
