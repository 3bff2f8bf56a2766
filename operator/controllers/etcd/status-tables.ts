import type { EtcdClusterResource } from '../../../imports/index.js';
import { podNamed, podState, restartsOf } from '../../pods/pod-state.js';
import type { Shown, Table } from '../../runtime/index.js';

/** The leader and the members. */
export function statusTables({ resource: { status }, objects }: Shown<EtcdClusterResource>): readonly Table[] {
  const { ready, clusterId, endpoints, members = [] } = status ?? {};
  const leader = members.find(({ isLeader }) => isLeader)?.name;
  const rows = members.map(({ name, state, zone, node, id }) => {
    const pod = podNamed(objects, name);
    return {
      MEMBER: name,
      STATE: state,
      POD: podState(pod),
      RESTARTS: restartsOf(pod),
      ZONE: zone,
      NODE: node,
      ID: id,
    };
  });
  return [
    { rows: [{ LEADER: leader, READY: ready, ENDPOINTS: endpoints, 'CLUSTER ID': clusterId }] },
    ...(rows.length === 0 ? [] : [{ title: 'Members', rows }]),
  ];
}
