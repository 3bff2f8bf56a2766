import { certificate, clusterIssuer, issuer, trustBundle } from '../../crds/index.js';
import * as generated from '../../imports/index.js';
import { checked } from '../validation/checked-resource.js';

/** A certificate authority for a namespace. `cdk8s synth` refuses values that do not match its schema. */
export class KubeIssuer extends checked(generated.KubeIssuer, issuer) {}

/** A certificate authority for several namespaces. `cdk8s synth` refuses values that do not match its schema. */
export class KubeClusterIssuer extends checked(generated.KubeClusterIssuer, clusterIssuer) {}

/** A certificate that renews itself. `cdk8s synth` refuses values that do not match its schema. */
export class KubeCertificate extends checked(generated.KubeCertificate, certificate) {}

/** CA certificates for several namespaces. `cdk8s synth` refuses values that do not match its schema. */
export class KubeTrustBundle extends checked(generated.KubeTrustBundle, trustBundle) {}
