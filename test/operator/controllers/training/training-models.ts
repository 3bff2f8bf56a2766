import { hash } from 'node:crypto';
import { type CapacityAnswer, capacity } from '../../../../operator/controllers/training/ports/capacity.js';
import {
  type CoordinatorAnswer,
  type CoordinatorRequest,
  coordinator,
} from '../../../../operator/controllers/training/ports/coordinator.js';
import { CallError } from '../../../../operator/runtime/index.js';
import { portModel } from '../../../../operator/testing/index.js';

/** A coordinator that nobody has talked to. */
export const silent: CoordinatorAnswer = {
  ...{ generation: 0, members: [], hasStore: true, isSuspended: false, restarts: {} },
  ...{ ranks: [], launchers: [], faults: [] },
};

/** A coordinator. It refuses what the real one refuses. */
export const coordinatorModel = (state: CoordinatorAnswer = silent) =>
  portModel(coordinator, {
    ...{ state, perform: changed, showsWithin: 0 },
    answer: (said) => ({ ...said, version: hash('sha256', JSON.stringify(said), 'hex') }),
  });

function changed(said: CoordinatorAnswer, request: CoordinatorRequest): CoordinatorAnswer {
  if (request.act === 'suspend') return { ...said, isSuspended: request.isSuspended };
  if (request.act === 'restart') return { ...said, restarts: request.restarts };
  const { generation, members } = request;
  if (members.length === 0) throw new CallError('terminal', 'members must be one or more workers, each once');
  if (generation < said.generation) throw new CallError('terminal', `generation ${generation} is old`);
  return { ...said, generation, members };
}

/** A cluster with much room. */
export const capacityModel = (state: CapacityAnswer = much) =>
  portModel(capacity, { state, answer: (room) => room, perform: (room) => room });

const much: CapacityAnswer = {
  nodes: [{ name: 'node-1', labels: {}, taints: [], free: { cpu: 64, memory: 2 ** 38, pods: 110 } }],
  opening: [],
};
