import type { DatabaseResource, DatabaseStatusInstances } from '../../../imports/index.js';
import { podNamed, podState, restartsOf } from '../../pods/pod-state.js';
import { byteSize, type Cell, type LiveObject, type Shown, type Table } from '../../runtime/index.js';

/** The primary and the instances, for the person on call. */
export function statusTables({ resource, objects }: Shown<DatabaseResource>): readonly Table[] {
  const { status } = resource;
  const { instances = [] } = status ?? {};
  const summary = {
    PRIMARY: status?.primary,
    READY: status?.ready,
    VERSION: status?.version,
    TIMELINE: status?.timeline,
  };
  const rows = instances.map((instance) => instanceRow(instance, objects));
  return [{ rows: [summary] }, ...(rows.length === 0 ? [] : [{ title: 'Instances', rows }])];
}

function instanceRow(instance: DatabaseStatusInstances, objects: readonly LiveObject[]) {
  const { name, role, state, synchronous, zone, node, lagBytes, timeline, position, usedPercent } = instance;
  const pod = podNamed(objects, name);
  return {
    INSTANCE: name,
    ROLE: synchronous ? `${role} (synchronous)` : role,
    STATE: state,
    POD: podState(pod),
    RESTARTS: restartsOf(pod),
    ZONE: zone,
    NODE: node,
    LAG: lagText(lagBytes),
    TIMELINE: timeline,
    POSITION: position,
    USED: usedPercent === undefined ? undefined : `${usedPercent} %`,
  };
}

/** The status has powers of two, rounded down, and 0 below 1 MiB. */
function lagText(bytes: number | undefined): Cell {
  return bytes === 0 ? '< 1 MiB' : bytes === undefined ? undefined : `>= ${byteSize(bytes)}`;
}
