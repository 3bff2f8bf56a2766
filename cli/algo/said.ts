import type { AlgorithmResource } from '../../imports/index.js';
import { conditionOf } from './outcome.js';

/** What changed from one look at a trial to the next, a line each: for a log, where nothing is drawn again in place. */
export function saidSince(before: AlgorithmResource | undefined, after: AlgorithmResource): readonly string[] {
  const lines = linesOf(after);
  const told = new Set(before ? linesOf(before) : []);
  return lines.filter((line) => !told.has(line));
}

function linesOf(resource: AlgorithmResource): readonly string[] {
  const { phase, stable, trial, verdict } = resource.status ?? {};
  const conditions = ['Promoted', 'Routed', 'SlaMet', 'LatencyMet'].flatMap((type) => {
    const condition = conditionOf(resource, type);
    return condition ? [`${type}=${condition.status} ${condition.reason}: ${condition.message ?? ''}`] : [];
  });
  return [
    ...(phase ? [`phase ${phase}`] : []),
    ...(stable ? [`stable ${stable.version} has ${stable.weight} % of the requests`] : []),
    ...(trial?.weight !== undefined ? [`trial ${trial.version} has ${trial.weight} % of the requests`] : []),
    ...(verdict ? [`verdict ${verdict.verdict}: ${verdict.sentence}`] : []),
    ...conditions,
  ];
}
