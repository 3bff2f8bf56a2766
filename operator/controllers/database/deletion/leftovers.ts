import type { DatabaseResource } from '../../../../imports/index.js';
import { instanceSelector, objectNames } from '../../../../src/index.js';
import { ConfigMap, type ForeignLeftover } from '../../../runtime/index.js';
import { leavesClaims } from './departure.js';

/**
 * What Patroni keeps by itself, and nobody owns: who leads, and who has every commit. Where volumes stay it stays with
 * them: of these only who had every commit may lead.
 */
export function foreignLeftovers(resource: DatabaseResource): readonly ForeignLeftover<typeof ConfigMap>[] {
  if (leavesClaims(resource)) return [];
  const { name } = resource.metadata;
  const { leader, sync } = objectNames(name);
  const labels = instanceSelector(name);
  return [leader, sync].map((of) => ({ kind: ConfigMap, name: of, labels }));
}
