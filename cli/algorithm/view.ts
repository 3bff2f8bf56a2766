import type { AlgorithmResource, AlgorithmStatus } from '../../imports/index.js';
import { measuresOf } from '../../operator/controllers/algorithm/trial/tables/measures.js';
import { stepsText, versionRows } from '../../operator/controllers/algorithm/trial/tables/versions.js';
import { conditionOf } from '../../operator/runtime/controller/conditions.js';
import { printable } from '../../operator/telemetry/printable-text.js';
import { alignedRows } from '../output/aligned-rows.js';

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
    ...stepLines(resource),
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

/** The cells of the stable version, the version on trial, and its variants. */
function sideRows(status: AlgorithmStatus | undefined): readonly (readonly string[])[] {
  return versionRows(status).map(({ name, version, weight, ready, requests, success, latency, drift }) =>
    [name, version, weight, ready, requests, success, latency, drift].map((cell) => `${cell ?? none}`),
  );
}

/** The steps of the trial, with the current one in brackets. */
function stepLines(resource: AlgorithmResource): readonly string[] {
  const steps = stepsText(resource);
  return steps === undefined ? [] : ['', `steps  ${steps}`];
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
