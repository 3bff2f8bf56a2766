import { stepOf } from '../../../members/index.js';
import type { Instance } from '../instances/instances.js';
import { leaderIn, stayingIn } from '../situation.js';
import type { ConditionMark, Observation } from './observation.js';

/** Whether instances are spread as the spec requests. */
export function placedOf(seen: Observation): ConditionMark<'Placed'> {
  const { situation, resource, seesNodes } = seen;
  const all = stayingIn(situation);
  const staying = all.filter(({ pod }) => pod === 'there');
  const stranded = stepOf(seen, 'stranded');
  if (stranded) return { reason: 'NodeDeleted', message: stranded.why };
  const unplaced = staying.find(({ node, trouble }) => node === undefined && trouble !== undefined);
  if (unplaced) return { reason: 'Unschedulable', message: `${unplaced.name}: ${unplaced.trouble}` };
  const lost = [
    ...staying.filter(({ isNodeLost }) => isNodeLost),
    // Kubernetes deletes the Pods of a lost node after some minutes, and they terminate until the node is back.
    ...all.flatMap((one) => (one.lostNode === undefined ? [] : [{ ...one, node: one.lostNode }])),
  ];
  if (lost.length > 0)
    return { reason: 'NodeLost', message: `Nodes not ready: ${lost.map(placed).join(', ')}; ${advice}` };
  const drained = staying.filter(({ isCordoned }) => isCordoned);
  if (drained.length > 0)
    return { reason: 'NodeDraining', message: `Cordoned nodes: ${drained.map(placed).join(', ')}${stays(seen)}` };
  if (staying.length === 0 || staying.some(({ zone }) => zone === undefined)) {
    return { reason: seesNodes || staying.length === 0 ? 'PlacementUnknown' : 'NodesForbidden' };
  }
  const { topologyKey } = resource.spec.placement;
  const shared = staying.filter(({ name, zone }) =>
    staying.some((other) => other.name !== name && other.zone === zone),
  );
  if (shared.length === 0) return { reason: 'Spread', message: `Every instance is in its own ${topologyKey}` };
  const where = shared.map(({ name, zone }) => `${name} in ${zone}`).join(', ');
  return { reason: 'ZoneShared', message: `Instances share a ${topologyKey}: ${where}` };
}

/** While a Node object exists, the node may return, with data that exists only on its disk. */
const advice = 'if the node never returns, delete the Node, and the operator creates the instance elsewhere';

function placed({ name, node }: Instance): string {
  return `${node} (${name})`;
}

/** A drain of the primary's node waits until a replica can take over. */
function stays(seen: Observation): string {
  const leader = leaderIn(seen.situation);
  return leader?.isCordoned && !stepOf(seen, 'drain') ? `; no replica can take over from ${leader.name} yet` : '';
}
