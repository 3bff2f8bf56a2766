import type { AlgorithmResource } from '../../../../imports/index.js';
import { relativeTime, type Shown, type Table } from '../../../runtime/index.js';
import { measuresOf } from './tables/measures.js';
import { stepsText, versionRows } from './tables/versions.js';

/** Versions of the history. `reconstruct algo history` lists all. */
const shownVersions = 3;

/** The versions with their shares of the requests, the trial with its verdict and measures, and the last outcomes. */
export function statusTables({ resource, now }: Shown<AlgorithmResource>): readonly Table[] {
  const versions = versionRows(resource.status).map(
    ({ name, version, weight, ready, requests, success, latency, drift }) => ({
      ...{ SIDE: name, VERSION: version, WEIGHT: weight, READY: ready, REQUESTS: requests, SUCCESS: success },
      ...{ LATENCY: latency, DRIFT: drift },
    }),
  );
  const measures = measuresOf(resource).map(({ name, value, atWorst, wanted, distance, verdict }) => ({
    ...{ MEASURE: name, VALUE: value, 'AT WORST': atWorst, WANTED: wanted, DISTANCE: distance, VERDICT: verdict },
  }));
  const tables: readonly Table[] = [
    { title: 'Versions', rows: versions },
    { title: 'Trial', rows: trialRows(resource, now) },
    { title: 'Measures', rows: measures },
    { title: 'History', rows: historyRows(resource, now) },
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}

function trialRows(resource: AlgorithmResource, now: number): Table['rows'] {
  const { trial, verdict } = resource.status ?? {};
  if (!trial) return [];
  const judged = verdict && `${verdict.verdict} (${relativeTime(verdict.at, now)})`;
  const cells = { TRIAL: trial.id, STARTED: relativeTime(trial.since, now), STEPS: stepsText(resource) };
  return [{ ...cells, VERDICT: judged, WHY: verdict?.sentence }];
}

function historyRows({ status }: AlgorithmResource, now: number): Table['rows'] {
  return (status?.history ?? []).slice(0, shownVersions).map(({ image, outcome, from, to, why }) => ({
    ...{ IMAGE: image, OUTCOME: outcome, STARTED: relativeTime(from, now), ENDED: relativeTime(to, now), WHY: why },
  }));
}
