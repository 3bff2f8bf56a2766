import assert from 'node:assert/strict';
import type { Controller } from '../../runtime/controller/controller.js';
import { type CustomResource, runtimeStatusOf } from '../../runtime/controller/custom-resource.js';
import { groupKindOf, Job } from '../../runtime/kubernetes/kinds.js';
import { controlledByAnnotation, keyOf, type LiveObject, type Manifest } from '../../runtime/kubernetes/object.js';
import { appliedAnnotation } from '../../runtime/kubernetes/well-known-names.js';
import { ownerAnnotation, ownerAnnotationOf } from '../../runtime/ownership/owner-annotation.js';
import { isMadeOnce } from '../../runtime/ownership/ownership-labels.js';
import { MemoryCluster } from '../memory/memory-cluster.js';
import type { FakeSource } from './answers.js';
import { type Cut, CutError, cutCluster } from './cut-cluster.js';
import { fieldEffects } from './field-effects.js';
import { givenReads } from './given-reads.js';
import { Trial } from './trial.js';
import { withUndeclaredConditions } from './undeclared-conditions.js';

/** A resource as its users write it, with the defaults of its schema: a memory cluster fills none in. */
export type GivenResource = Manifest & { readonly spec: object };

/** What the contract is tried with. */
export interface ControllerCase {
  readonly resource: GivenResource;
  /** Another spec of it, which changes what it becomes. */
  readonly edited: object;
  /** Objects that the resource refers to, with the status that they have, where its controller reads any. @default - none is there */
  readonly reads?: readonly Manifest[];
  /** What is answered to what the controller gathers. @default - every question fails */
  readonly answers?: readonly FakeSource[];
  /** A spec that `desire` rejects. @default - none is tried */
  readonly rejected?: object;
}

/** One promise that every controller keeps. */
export interface ContractCheck {
  readonly name: string;
  /** @throws {Error} when it is not kept */
  readonly holds: () => Promise<void>;
}

/** The manager of a person's edits. */
const somebody = 'somebody';

/**
 * What holds for every controller, each with a name for a test. It takes a memory cluster and no time.
 *
 * @example for (const { name, holds } of controllerContract(web, given)) it(name, holds);
 */
export function controllerContract(controller: Controller, given: ControllerCase): readonly ContractCheck[] {
  const start = async (spec: object = given.resource.spec, tried = controller) => {
    const trial = new Trial(tried, await memoryWith(controller, given), given);
    const resource = await write(trial, given.resource, spec);
    await trial.rest(given.resource);
    return { trial, resource };
  };

  return [
    {
      name: 'becomes objects that it controls, so that they go with it',
      holds: async () => {
        const { trial, resource } = await start();
        const objects = await trial.owned(resource.metadata.uid);
        assert.ok(objects.length > 0, 'nothing is owned: give a resource that becomes something');
        for (const { object } of objects) {
          if (!ownerAnnotationOf(object)) assert.equal(object.metadata.namespace, resource.metadata.namespace);
        }
      },
    },
    {
      name: 'writes nothing in a second reconcile, or in ten, or in another process',
      holds: async () => {
        const { trial } = await start();
        for (let n = 0; n < 10; n++) assert.equal(await trial.pass(given.resource), 0);
        const next = new Trial(controller, trial.memory, given);
        const before = await contents(trial, given);
        // What is gathered is not known again at first, which may be told.
        if (Object.keys(controller.polls).length > 0) await next.rest(given.resource);
        assert.equal(await next.pass(given.resource), 0);
        assert.deepEqual(await contents(next, given), before);
      },
    },
    {
      name: 'says of which spec its status is',
      holds: async () => {
        const { trial } = await start();
        await write(trial, given.resource, given.edited);
        await trial.pass(given.resource);
        const resource = await trial.resource(given.resource);
        const { conditions = [], observedGeneration } = runtimeStatusOf(resource);
        const generations = controller.isPrimary
          ? [observedGeneration]
          : conditions.map((one) => one.observedGeneration);
        assert.deepEqual([...new Set(generations)], [resource?.metadata.generation]);
      },
    },
    {
      name: 'says no condition that it does not declare, which nobody would be told',
      holds: async () => {
        const { heard, undeclared } = withUndeclaredConditions(controller);
        for (const spec of [given.resource.spec, given.edited]) await start(spec, heard);
        assert.deepEqual([...undeclared], [], 'declare these in conditions');
      },
    },
    {
      name: 'comes from one spec to another as if it had had that from the start',
      holds: async () => {
        const { trial } = await start();
        const before = await contents(trial, given);
        await write(trial, given.resource, given.edited);
        await trial.rest(given.resource);
        const after = await contents(trial, given);
        assert.notDeepEqual(after, before, 'nothing changed: give an edited spec that changes what it becomes');
        assert.deepEqual(after, await contents((await start(given.edited)).trial, given));
      },
    },
    {
      name: 'goes by each field that is edited, and by nothing that it kept from another call',
      holds: async () => {
        // What may come of a field by an answer alone cannot be told where nobody answers.
        if (Object.keys(controller.polls).length > 0 && !given.answers) return;
        await fieldEffects({ spec: given.resource.spec, edited: given.edited }, async (spec) =>
          contents((await start(spec)).trial, given),
        );
      },
    },
    {
      name: 'leaves what runs when a spec is rejected, says so, and mends it by the last accepted one',
      holds: async () => {
        if (!given.rejected) return;
        const { trial, resource } = await start();
        const before = await contents(trial, given);
        await write(trial, given.resource, given.rejected);
        await trial.rest(given.resource);
        assert.deepEqual(await contents(trial, given), before);
        for (const { kind, object } of await trial.owned(resource.metadata.uid)) {
          await trial.memory.remove(kind, object.metadata, { uid: object.metadata.uid });
        }
        await trial.rest(given.resource);
        assert.deepEqual(await contents(trial, given), before);
        const { conditions } = runtimeStatusOf(await trial.resource(given.resource));
        assert.equal(conditions?.find(({ type }) => type === 'Accepted')?.status, 'False');
      },
    },
    {
      name: 'says that a spec is rejected which is the first, of which nothing was made',
      holds: async () => {
        if (!given.rejected) return;
        const { trial } = await start(given.rejected);
        const { conditions } = runtimeStatusOf(await trial.resource(given.resource));
        assert.equal(conditions?.find(({ type }) => type === 'Accepted')?.status, 'False');
      },
    },
    {
      name: 'does not fail while what it reads is missing',
      holds: async () => {
        const trial = new Trial(controller, new MemoryCluster(), given);
        await write(trial, given.resource, given.resource.spec);
        await trial.rest(given.resource);
      },
    },
    {
      name: 'makes deleted objects again, and mends edited ones',
      holds: async () => {
        const { trial, resource } = await start();
        const before = await contents(trial, given);
        for (const { kind, object } of await trial.owned(resource.metadata.uid)) {
          if (isMadeOnce(object)) continue; // an edit of it stays
          await trial.memory.patch(kind, object.metadata, [{ op: 'remove', path: edit(object) }], {
            manager: somebody,
          });
        }
        await trial.rest(given.resource);
        assert.deepEqual(await contents(trial, given), before);
        for (const { kind, object } of await trial.owned(resource.metadata.uid)) {
          await trial.memory.remove(kind, object.metadata, { uid: object.metadata.uid });
        }
        await trial.rest(given.resource);
        assert.deepEqual(await contents(trial, given), before);
      },
    },
    {
      name: 'leaves what others add to its objects',
      holds: async () => {
        const { trial, resource } = await start();
        const theirs = [{ op: 'add', path: '/metadata/annotations/example.org~1theirs', value: '1' }] as const;
        for (const { kind, object } of await trial.owned(resource.metadata.uid)) {
          await trial.memory.patch(kind, object.metadata, theirs, { manager: somebody });
        }
        assert.equal(await trial.pass(given.resource), 0);
        await write(trial, given.resource, given.edited);
        await trial.rest(given.resource);
        for (const { object } of await trial.owned(resource.metadata.uid)) {
          const isNew = !object.metadata.annotations?.['example.org/theirs'];
          assert.ok(!isNew || object.metadata.generation === 1, `${object.kind} ${object.metadata.name} lost a field`);
        }
      },
    },
    {
      name: 'ends in the same state wherever its process dies',
      holds: async () => {
        const whole = await contents((await start()).trial, given);
        for (const isCarriedOut of [false, true]) {
          for (let write = 0, isCut = true; isCut; write++) {
            const cut = await diedAt(controller, given, { write, isCarriedOut });
            assert.deepEqual(cut.contents, whole, `it died at write ${write}, carried out: ${isCarriedOut}`);
            isCut = cut.died;
          }
        }
      },
    },
    {
      name: 'lets a deleted resource go, and nothing stays behind',
      holds: async () => {
        const { trial, resource } = await start();
        await trial.memory.remove(controller.kind, resource.metadata, { uid: resource.metadata.uid });
        await trial.rest(given.resource);
        await succeed(trial, resource);
        await trial.rest(given.resource);
        const left = await trial.owned(resource.metadata.uid);
        assert.ok(!(await trial.resource(given.resource)), stays(left.map(({ object }) => object)));
        // What a controller does not undo itself goes by its owner reference, if it has one.
        assert.deepEqual(controller.finalizes ? left : left.filter(({ object }) => ownerAnnotationOf(object)), []);
      },
    },
  ];
}

/** The Jobs that a deleted resource waits for come to their end, as they would on a cluster with nodes. */
async function succeed(trial: Trial, { metadata: { uid } }: LiveObject): Promise<void> {
  const status = { succeeded: 1, conditions: [{ type: 'Complete', status: 'True' }] };
  for (const { kind, object } of await trial.owned(uid)) {
    if (groupKindOf(kind) !== groupKindOf(Job)) continue;
    const ended = [{ op: 'add', path: '/status', value: status }] as const;
    await trial.memory.patch(kind, object.metadata, ended, { manager: somebody, subresource: 'status' });
  }
}

/** Why a deleted resource is still there, for the author of `desire`. */
function stays(left: readonly LiveObject[]): string {
  const objects = left.map((object) => `${object.kind} ${keyOf(object.metadata)}`).join(', ');
  return `it stays, because desire still wants ${objects}: return nothing once a deleted resource is undone`;
}

/** A cluster in which there is what the resource refers to. */
async function memoryWith(controller: Controller, given: ControllerCase): Promise<MemoryCluster> {
  const memory = new MemoryCluster();
  for (const { kind, object } of givenReads(controller, given)) {
    await memory.apply(kind, object, { manager: somebody });
    if ('status' in object) await memory.apply(kind, object, { manager: somebody, subresource: 'status' });
  }
  return memory;
}

/** Somebody writes the resource, with this spec. */
async function write(trial: Trial, resource: GivenResource, spec: object): Promise<LiveObject> {
  return trial.memory.apply(trial.controller.kind, { ...resource, spec } as GivenResource, { manager: somebody });
}

/** What a process that dies there leaves, after another one took over. */
async function diedAt(controller: Controller, given: ControllerCase, cut: Cut) {
  const memory = await memoryWith(controller, given);
  const first = new Trial(controller, memory, { ...given, cluster: cutCluster(memory, cut) });
  const next = new Trial(controller, memory, given);
  await write(next, given.resource, given.resource.spec);
  const died = await first.rest(given.resource).then(
    () => false,
    (error: unknown) => {
      if (errorsIn(error).some((one) => one instanceof CutError)) return true;
      throw error;
    },
  );
  await next.rest(given.resource);
  return { died, contents: await contents(next, given) };
}

function errorsIn(error: unknown): readonly unknown[] {
  return error instanceof AggregateError ? error.errors : [error];
}

/** What is owned, without what tells one object from another that was made in the same way. */
async function contents(trial: Trial, { resource }: ControllerCase): Promise<Readonly<Record<string, object>>> {
  const owner = (await trial.resource(resource)) as CustomResource;
  const objects = await trial.owned(owner.metadata.uid);
  const entries = objects.map(({ object }) => {
    const { uid, resourceVersion, generation, creationTimestamp, ownerReferences, ...metadata } = object.metadata;
    const { managedFields: _, annotations, ...named } = metadata as typeof metadata & { managedFields?: unknown };
    const {
      [appliedAnnotation]: __,
      [ownerAnnotation]: ___,
      [controlledByAnnotation]: ____,
      ...others
    } = annotations ?? {};
    return [
      `${object.kind} ${keyOf(object.metadata)}`,
      { ...object, metadata: { ...named, annotations: others } },
    ] as const;
  });
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The path of something that a person may break. */
function edit(object: LiveObject): string {
  const kept = ['apiVersion', 'kind', 'metadata', 'status'];
  const isStated = (value: unknown) => typeof value !== 'object' || Object.keys(value ?? {}).length > 0;
  const field = Object.entries(object).find(([name, value]) => !kept.includes(name) && isStated(value));
  return field ? `/${field[0]}` : '/metadata/labels';
}
