import type { DatabaseResource } from '../../../../imports/index.js';
import { instanceSelector, objectNames } from '../../../../src/index.js';
import { ConfigMap, type ForeignLeftover } from '../../../runtime/index.js';
import { leavesClaims } from './departure.js';

/**
 * ConfigMaps that Patroni writes and no owner claims: the current leader, and the replicas that have every commit. If
 * the volumes are retained, these ConfigMaps are too: only an instance that had every commit may lead on those volumes.
 */
export function foreignLeftovers(resource: DatabaseResource): readonly ForeignLeftover<typeof ConfigMap>[] {
  if (leavesClaims(resource)) return [];
  const { name } = resource.metadata;
  const { leader, sync } = objectNames(name);
  const labels = instanceSelector(name);
  return [leader, sync].map((of) => ({ kind: ConfigMap, name: of, labels }));
}
