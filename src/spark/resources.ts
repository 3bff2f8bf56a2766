import { sparkJob, sparkJobSpec, withDefaults } from '../../crds/index.js';
import * as generated from '../../imports/index.js';
import { checked, inSpec } from '../validation/checked-resource.js';
import { sparkNameProblem, sparkProblems } from './checks.js';

/** A Spark application, whose driver the operator creates. `cdk8s synth` refuses values that do not match its schema. */
export class KubeSparkJob extends checked(
  generated.KubeSparkJob,
  sparkJob,
  (spec: generated.SparkJobSpecInput, name: string) => [
    ...sparkNameProblem(name).map((problem) => `metadata.${problem}`),
    ...inSpec(sparkProblems(withDefaults(sparkJobSpec, spec))),
  ],
) {}
