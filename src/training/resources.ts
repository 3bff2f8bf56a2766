import { trainingJob, trainingJobSpec, withDefaults } from '../../crds/index.js';
import * as generated from '../../imports/index.js';
import { checked, inSpec } from '../validation/checked-resource.js';
import { trainingNameProblem, trainingProblems } from './checks.js';

/** A distributed training, whose workers the operator creates. `cdk8s synth` refuses values that do not match its schema. */
export class KubeTrainingJob extends checked(
  generated.KubeTrainingJob,
  trainingJob,
  (spec: generated.TrainingJobSpecInput, name: string) => [
    ...trainingNameProblem(name).map((problem) => `metadata.${problem}`),
    ...inSpec(trainingProblems(withDefaults(trainingJobSpec, spec))),
  ],
) {}
