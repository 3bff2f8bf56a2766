import assert from 'node:assert/strict';
import type { Controller } from '../../runtime/controller/controller.js';
import { acceptanceOf } from '../../runtime/controller/custom-resource.js';
import type { Read } from '../../runtime/controller/reads.js';
import { apiVersionOf } from '../../runtime/kubernetes/kinds.js';
import type { LiveObject, Manifest } from '../../runtime/kubernetes/object.js';
import type { MemoryCluster } from '../memory/memory-cluster.js';
import type { ContractCheck } from './contract-check.js';
import { type MemoryPort, memoryPorts, type PortModel } from './memory-port.js';
import type { Trial } from './trial.js';

interface KeepingTrials {
  readonly given: {
    readonly resource: Manifest;
    readonly ports?: readonly PortModel[];
    readonly reads?: readonly Manifest[];
  };
  /** A process that has reconciled the resource until nothing is left to do. */
  readonly start: () => Promise<{ readonly trial: Trial; readonly resource: LiveObject }>;
  /** A later process, without answers for the polls. */
  readonly unanswered: (memory: MemoryCluster, outside: readonly MemoryPort[]) => Trial;
}

/** The guarantees that what is not known takes no object away. */
export function keepingChecks(
  controller: Controller,
  { given, start, unanswered }: KeepingTrials,
): readonly ContractCheck[] {
  const kept = async (trial: Trial, { metadata: { uid } }: LiveObject) =>
    new Map(
      (await trial.owned(uid)).map(({ object }) => [object.metadata.uid, `${object.kind} ${object.metadata.name}`]),
    );
  const assertKept = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>, what: string) => {
    const gone = [...before].filter(([uid]) => !after.has(uid)).map(([, name]) => name);
    assert.deepEqual(gone, [], `${what}; render them, or call keep() in desire, while it is not known`);
  };
  return [
    {
      name: 'keeps all objects while its polls have no answers',
      holds: async () => {
        if (Object.keys(controller.polls).length === 0) return;
        const { trial, resource } = await start();
        const before = await kept(trial, resource);
        const outside = memoryPorts(given.ports);
        for (const port of outside) port.silence = 'the system is away';
        const next = unanswered(trial.memory, outside);
        await next.rest(given.resource);
        assertKept(before, await kept(next, resource), 'objects were deleted while polls have no answers');
      },
    },
    {
      name: 'keeps all objects while an object that it requires is missing, and reports that',
      holds: async () => {
        for (const [name, read] of Object.entries(controller.reads).filter(([, { isRequired }]) => isRequired)) {
          const { trial, resource } = await start();
          const before = await kept(trial, resource);
          if (!(await removeRequired(trial, read, given.reads ?? []))) continue;
          await trial.rest(given.resource);
          assertKept(before, await kept(trial, resource), `objects were deleted while ${name} is missing`);
          const now = await trial.resource(given.resource);
          if (now && controller.isPrimary)
            assert.equal(acceptanceOf(now)?.status, 'False', `${name} is missing, but Accepted is not False`);
        }
      },
    },
  ];
}

/** Deletes the objects of a read that the test gives. @returns false if it gives none */
async function removeRequired({ memory }: Trial, { kind }: Read, given: readonly Manifest[]): Promise<boolean> {
  const objects = given.filter((object) => object.kind === kind.kind && object.apiVersion === apiVersionOf(kind));
  for (const { metadata } of objects) {
    const live = await memory.read(kind, metadata);
    if (live) await memory.remove(kind, metadata, { uid: live.metadata.uid });
  }
  return objects.length > 0;
}
