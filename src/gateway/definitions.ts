import type { CustomResourceDefinition } from '../../crds/index.js';
import { gatewayApiDefinitions } from '../../imports/gateway-api/definitions.js';

/**
 * The definitions of the Gateway API: its standard channel, each kind in the version that is stored, without
 * descriptions.
 */
export function gatewayApiCrds(): readonly CustomResourceDefinition[] {
  return JSON.parse(gatewayApiDefinitions) as readonly CustomResourceDefinition[];
}
