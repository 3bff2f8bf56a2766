import type { Construct } from 'constructs';
import type { GatewayResource } from '../../../imports/index.js';
import { GatewayProxies } from '../../../src/index.js';
import type { Facts } from '../../runtime/index.js';

/** What a Gateway of this package's class should be served by. */
export function desire(scope: Construct, { resource }: Pick<Facts<GatewayResource>, 'resource'>): void {
  new GatewayProxies(scope, 'proxies', { gateway: resource.metadata.name });
}
