import { leaderElection } from '../../crds/index.js';
import * as generated from '../../imports/index.js';
import { checked } from '../validation/checked-resource.js';

/** A LeaderElection. `cdk8s synth` refuses values that do not match its schema. */
export class KubeLeaderElection extends checked(generated.KubeLeaderElection, leaderElection) {}
