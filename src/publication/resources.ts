import { servicePublication } from '../../crds/index.js';
import * as generated from '../../imports/index.js';
import { checked } from '../validation/checked-resource.js';

/** A ServicePublication. `cdk8s synth` refuses values that do not match its schema. */
export class KubeServicePublication extends checked(generated.KubeServicePublication, servicePublication) {}
