import type { TrainingJobResource } from '../../imports/index.js';
import { trainingJob } from '../../operator/controllers/training/index.js';
import { statusTables } from '../../operator/controllers/training/status-tables.js';
import { groupKindOf } from '../../operator/runtime/kubernetes/kinds.js';
import { keyOf } from '../../operator/runtime/kubernetes/object.js';
import { vocabularyOf } from '../reasons/vocabulary.js';
import { problemsOf } from '../status/problems.js';
import { headLines, sections, tableLines } from '../status/report-lines.js';
import { lossCurve, type Sample, speedText } from './progress.js';

interface Moment {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Progress that was seen before. */
  readonly samples: readonly Sample[];
  /** Characters of a line. */
  readonly width: number;
}

const vocabulary = vocabularyOf(groupKindOf(trainingJob.kind), [trainingJob]);

/** A TrainingJob while it trains: what is wrong and what to do, its loss, its ranks and its faults. */
export function trainingView(job: TrainingJobResource, { now, samples, width }: Moment): readonly string[] {
  const title = `TrainingJob ${keyOf(job.metadata)}: `;
  const tables = statusTables({ resource: job, objects: [], now });
  return sections([
    ...headLines(title, problemsOf(job, now, vocabulary)),
    curveLines(job, samples, width),
    ...tables.map(tableLines),
  ]);
}

function curveLines(job: TrainingJobResource, samples: readonly Sample[], width: number): readonly string[] {
  const speed = speedText(samples, job);
  const curve = lossCurve(samples, width - 'loss  '.length);
  return [...(curve === '' ? [] : [`loss  ${curve}`]), ...(speed === '' ? [] : [speed])];
}
