import type { Controller } from '../../../runtime/controller/controller.js';
import type { LiveObject } from '../../../runtime/kubernetes/object.js';
import { MemoryCluster } from '../../memory/memory-cluster.js';
import type { ControllerCase } from './controller-case.js';
import { editableOf, type GivenResource, givenReads, withEditable } from './given-resource.js';
import type { MemoryPort } from './memory-port.js';
import { Trial } from './trial.js';

/** The field manager of users' edits. */
export const somebody = 'somebody';

/** How a check tries a controller with its test data. */
export interface Trials {
  readonly controller: Controller;
  readonly given: ControllerCase;
  /**
   * A process that has reconciled the resource until nothing is left to do, on a cluster of its own.
   * @param spec @default - the given one
   * @param tried another form of the controller
   */
  readonly start: (
    spec?: object,
    tried?: Controller,
  ) => Promise<{ readonly trial: Trial; readonly resource: LiveObject }>;
  /** A process beside or after another one. */
  readonly process: (memory: MemoryCluster, options: { readonly outside: readonly MemoryPort[] }) => Trial;
  /** A later process, without answers for the polls. */
  readonly unanswered: (memory: MemoryCluster, outside: readonly MemoryPort[]) => Trial;
  /** A cluster with the objects that the resource refers to. */
  readonly memoryWith: () => Promise<MemoryCluster>;
  /** Writes the resource with a spec, as a user. */
  readonly write: (trial: Trial, resource: GivenResource, spec: object) => Promise<LiveObject>;
}

export function trialsOf(controller: Controller, given: ControllerCase): Trials {
  const memoryWith = () => memoryFor(controller, given);
  const start = async (spec: object = editableOf(given.resource), tried = controller) => {
    const trial = new Trial(tried, await memoryWith(), given);
    const resource = await write(trial, given.resource, spec);
    await trial.rest(given.resource);
    return { trial, resource };
  };
  return {
    ...{ controller, given, start, memoryWith, write },
    process: (memory, options) => new Trial(controller, memory, { ...given, ...options }),
    unanswered: (memory, outside) => new Trial(controller, memory, { outside }),
  };
}

async function write(trial: Trial, resource: GivenResource, spec: object): Promise<LiveObject> {
  return trial.memory.apply(trial.controller.kind, withEditable(resource, spec), { manager: somebody });
}

async function memoryFor(controller: Controller, given: ControllerCase): Promise<MemoryCluster> {
  // The same UIDs each time, so that names and identifiers that follow from them can be compared.
  let count = 0;
  const memory = new MemoryCluster({ uid: () => `uid-${++count}` });
  for (const { kind, object } of givenReads(controller, given)) {
    await memory.apply(kind, object, { manager: somebody });
    if ('status' in object) await memory.apply(kind, object, { manager: somebody, subresource: 'status' });
  }
  return memory;
}
