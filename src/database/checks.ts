import { longestName } from '../../crds/database/names.js';
import { backwardRange, databaseSpec, isNeverDue } from '../../crds/index.js';
import { valueProblems } from '../../crds/schema/value-problems.js';
import type { DatabaseSpec } from '../../imports/index.js';
import { nameProblem } from '../workload/name-problem.js';
import { requestProblems } from '../workload/resources.js';
import { memoryProblems, parameterProblems } from './config/parameter-problems.js';

/**
 * The problems of a spec: fields that do not match the schema, if no API server has checked it, fields that contradict
 * each other, and parameters that keep PostgreSQL from starting, which the schema cannot check.
 */
export function databaseProblems(spec: DatabaseSpec): readonly string[] {
  const ofFields = valueProblems(databaseSpec.json, spec).map((problem) => problem.replace(/^\./, ''));
  // The other checks need a spec that matches its schema.
  return ofFields.length > 0
    ? ofFields
    : [
        ...contradictions(spec),
        ...requestProblems('resources', spec.resources),
        ...requestProblems('backup.resources', spec.backup?.resources),
        ...requestProblems('backup.serverResources', spec.backup?.serverResources),
        ...scheduleProblems(spec),
        ...parameterProblems(spec.parameters ?? {}),
        ...memoryProblems(spec),
      ];
}

/** The problem of the name of a Database, if it has one. It is also a CEL rule of the schema. */
export function databaseNameProblem(name: string): readonly string[] {
  return nameProblem(name, longestName);
}

/** Each is also a CEL rule of the schema. The API server checks the rules, but `npm run synth` does not ask it. */
const CONTRADICTIONS: readonly (readonly [problem: string, isTrue: (spec: DatabaseSpec) => boolean])[] = [
  [
    'replicas: Invalid value: must be at least 1, so that an instance keeps the data; use 1 or more',
    ({ replicas }) => replicas < 1,
  ],
  [
    'replicas: Invalid value: must be more than synchronous.replicas; raise replicas, lower synchronous.replicas, or set synchronous.mode to None',
    ({ replicas, synchronous }) => replicas >= 1 && synchronous.mode !== 'None' && replicas <= synchronous.replicas,
  ],
  [
    'backup: Required value: must be set if deletionPolicy is Snapshot; set backup.target, or set deletionPolicy to Retain or Delete',
    ({ deletionPolicy, backup }) => deletionPolicy === 'Snapshot' && backup === undefined,
  ],
  [
    'backup.target: Invalid value: must have exactly one location; set volume or s3',
    ({ backup }) => backup !== undefined && Boolean(backup.target.volume) === Boolean(backup.target.s3),
  ],
  [
    'bootstrap: Invalid value: must not have both initSql and restore; remove one of them',
    ({ bootstrap }) => Boolean(bootstrap.initSql && bootstrap.restore),
  ],
];

function contradictions(spec: DatabaseSpec): readonly string[] {
  return CONTRADICTIONS.filter(([, isTrue]) => isTrue(spec)).map(([problem]) => problem);
}

function scheduleProblems({ backup }: DatabaseSpec): readonly string[] {
  if (!backup) return [];
  const invalid = `backup.schedule: Invalid value: ${JSON.stringify(backup.schedule)}:`;
  const range = backwardRange(backup.schedule);
  if (range === undefined) {
    if (!isNeverDue(backup.schedule)) return [];
    return [`${invalid} must name a day that exists, so that a backup is due sometimes; use a day such as 1 or 28`];
  }
  return [
    `${invalid} must not have the range ${range}, which ends before it starts; write two ranges, such as 22-23,0-5`,
  ];
}
