import { secretRotation } from '../../crds/index.js';
import * as generated from '../../imports/index.js';
import { checked } from '../validation/checked-resource.js';

/** A SecretRotation. `cdk8s synth` refuses values that do not match its schema. */
export class KubeSecretRotation extends checked(generated.KubeSecretRotation, secretRotation) {}
