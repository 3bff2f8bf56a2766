export type { ControllerManagerMode } from './binaries/find-binaries.js';
export type { ContractCheck } from './contract/contract-check.js';
export { controllerContract } from './contract/controller-contract.js';
export { factsOf, type GivenFacts } from './contract/facts.js';
export { type PortCase, portContract } from './contract/port-contract.js';
export { type FakeSource, fakeSource } from './contract/trial/answers.js';
export type { ControllerCase } from './contract/trial/controller-case.js';
export type { GivenResource } from './contract/trial/given-resource.js';
export {
  type CallFate,
  MemoryPort,
  type PerformedRequest,
  type PortModel,
  portModel,
} from './contract/trial/memory-port.js';
export type { AuditedRequest } from './control-plane/audit-log.js';
export {
  ClusterAccess,
  type ClusterLocation,
  type ClusterUser,
  type KubectlOptions,
  type KubectlResult,
} from './control-plane/cluster-access.js';
export { ControlPlane, type ControlPlaneOptions } from './control-plane/control-plane.js';
export type { Call, Verb } from './faults/call.js';
export type { Fault, FaultRule, InjectedFault } from './faults/fault.js';
export { FaultProxy, type FaultProxyOptions } from './faults/fault-proxy.js';
export { MemoryCluster, type Write } from './memory/memory-cluster.js';
export type { Failure } from './simulation/failure.js';
export { type SimulationOptions, type SimulationReport, simulate, simulation } from './simulation/simulate.js';
export { type MemberState, memberStates } from './stateful/member-states.js';
export {
  type NamedState,
  type PlannedMembers,
  type StatefulCase,
  statefulContract,
} from './stateful/stateful-contract.js';
