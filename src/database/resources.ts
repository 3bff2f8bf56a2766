import { database, databaseBackup, databaseSpec, withDefaults } from '../../crds/index.js';
import * as generated from '../../imports/index.js';
import { checked, inSpec } from '../validation/checked-resource.js';
import { databaseNameProblem, databaseProblems } from './checks.js';

/** A Database, whose objects the operator creates. `cdk8s synth` refuses values that do not match its schema. */
export class KubeDatabase extends checked(
  generated.KubeDatabase,
  database,
  (spec: generated.DatabaseSpecInput, name: string) => [
    ...databaseNameProblem(name).map((problem) => `metadata.${problem}`),
    ...inSpec(databaseProblems(withDefaults(databaseSpec, spec))),
  ],
) {}

/** A DatabaseBackup, which the operator takes. `cdk8s synth` refuses values that do not match its schema. */
export class KubeDatabaseBackup extends checked(generated.KubeDatabaseBackup, databaseBackup) {}
