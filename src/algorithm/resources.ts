import { algorithm, algorithmSpec, withDefaults } from '../../crds/index.js';
import * as generated from '../../imports/index.js';
import { checked, inSpec } from '../validation/checked-resource.js';
import { problemsOf } from './checks.js';

/** An Algorithm, whose objects the operator creates. `cdk8s synth` refuses values that do not match its schema. */
export class KubeAlgorithm extends checked(generated.KubeAlgorithm, algorithm, (spec: generated.AlgorithmSpecInput) =>
  inSpec(problemsOf(withDefaults(algorithmSpec, spec))),
) {}
