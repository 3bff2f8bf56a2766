import type { CustomResourceDefinition } from '../../crds/index.js';
import { gatewayApiDefinitions } from '../../imports/gateway-api/definitions.js';

/**
 * The CRDs of the Gateway API, standard channel. Each kind has only its stored version, without descriptions.
 */
export function gatewayApiCrds(): readonly CustomResourceDefinition[] {
  return JSON.parse(gatewayApiDefinitions) as readonly CustomResourceDefinition[];
}
