import { backwardRange, databaseSpec } from '../../crds/index.js';
import { valueProblems } from '../../crds/schema/value-problems.js';
import type { DatabaseSpec } from '../../imports/index.js';
import { parameterProblems } from './config/parameter-problems.js';

/**
 * What is wrong with a spec: what the schema does not take where no API server has looked at it, fields that contradict
 * each other, and parameters that PostgreSQL would not start with, of which the schema knows nothing.
 */
export function databaseProblems(spec: DatabaseSpec): readonly string[] {
  const ofFields = valueProblems(databaseSpec.json, spec).map((problem) => problem.replace(/^\./, ''));
  // What is no spec cannot be looked at more closely.
  return ofFields.length > 0
    ? ofFields
    : [...contradictions(spec), ...scheduleProblems(spec), ...parameterProblems(spec.parameters ?? {})];
}

/** Each is a rule of the schema too, which the API server judges: by `npm run synth` nothing is asked. */
const CONTRADICTIONS: readonly (readonly [problem: string, holds: (spec: DatabaseSpec) => boolean])[] = [
  ['replicas leaves no instance to keep the data; use 1 or more', ({ replicas }) => replicas < 1],
  [
    'replicas leaves too few beside the primary for synchronous.replicas; raise replicas, lower synchronous.replicas, or set synchronous.mode to None',
    ({ replicas, synchronous }) => replicas >= 1 && synchronous.mode !== 'None' && replicas <= synchronous.replicas,
  ],
  [
    'deletionPolicy Snapshot has no place for the snapshot; set backup.target, or deletionPolicy to Retain or Delete',
    ({ deletionPolicy, backup }) => deletionPolicy === 'Snapshot' && backup === undefined,
  ],
  [
    'backup.target needs exactly one place; set volume or s3',
    ({ backup }) => backup !== undefined && Boolean(backup.target.volume) === Boolean(backup.target.s3),
  ],
  [
    'bootstrap has two beginnings; set initSql or restore, not both',
    ({ bootstrap }) => Boolean(bootstrap.initSql && bootstrap.restore),
  ],
];

function contradictions(spec: DatabaseSpec): readonly string[] {
  return CONTRADICTIONS.filter(([, holds]) => holds(spec)).map(([problem]) => problem);
}

function scheduleProblems({ backup }: DatabaseSpec): readonly string[] {
  const range = backup && backwardRange(backup.schedule);
  if (range === undefined) return [];
  return [`backup.schedule has the range ${range}, which ends before it begins; write it as two, as 22-23,0-5`];
}
