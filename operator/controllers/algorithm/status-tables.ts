import type { AlgorithmResource } from '../../../imports/index.js';
import type { Shown, Table } from '../../runtime/index.js';

/** The state, the replicas of the stable version and the bounds of their number, and the host. */
export function statusTables({ resource: { metadata, spec, status } }: Shown<AlgorithmResource>): readonly Table[] {
  const { phase, replicas, readyReplicas = 0, scaling } = status ?? {};
  const { gateway } = spec;
  const row = {
    PHASE: phase,
    READY: replicas === undefined ? undefined : `${readyReplicas}/${replicas}`,
    MINIMUM: scaling?.minReplicas ?? spec.scaling?.minReplicas,
    MAXIMUM: spec.scaling?.maxReplicas,
    'TARGET CPU': spec.scaling && `${spec.scaling.targetCpuPercent} %`,
    HOST: spec.host,
    GATEWAY: gateway && `${gateway.namespace ?? metadata.namespace}/${gateway.name}`,
  };
  return [{ rows: [row] }];
}
