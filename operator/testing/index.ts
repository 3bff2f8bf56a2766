export { type Answering, answering } from './answers.js';
export type { AuditedRequest } from './audit-log.js';
export type { ControllerManagerWish } from './binaries/find-binaries.js';
export {
  ClusterAccess,
  type ClusterLocation,
  type ClusterUser,
  type KubectlOptions,
  type KubectlResult,
} from './cluster-access.js';
export { ControlPlane, type ControlPlaneOptions } from './control-plane.js';
export { type ControllerCase, controllerContract, type GivenResource, type Promised } from './controller-contract.js';
export { factsOf, type GivenFacts } from './facts-of.js';
export { FaultProxy, type FaultProxyOptions } from './fault-proxy.js';
export type { Call, Verb } from './faults/call.js';
export type { Fault, FaultRule, Injected } from './faults/fault.js';
export { MemoryCluster, type Write } from './memory-cluster.js';
export type { Failure } from './simulation/failure.js';
export { type SimulationOptions, type SimulationReport, simulate, simulation } from './simulation/simulate.js';
