import assert from 'node:assert/strict';
import type { Controller } from '../../runtime/controller/controller.js';
import { reportsElsewhere } from '../../runtime/controller/owned-status.js';
import { groupKindOf, Job } from '../../runtime/kubernetes/kinds.js';
import { keyOf, type LiveObject, type Manifest } from '../../runtime/kubernetes/object.js';
import { isMadeOnce, ownerAnnotationOf } from '../../runtime/ownership/ownership-labels.js';
import { MemoryCluster } from '../memory/memory-cluster.js';
import type { FakeSource } from './answers.js';
import { callChecks } from './call-checks.js';
import { contents, edit } from './contents.js';
import type { ContractCheck } from './contract-check.js';
import { type Cut, cutCluster } from './cut-cluster.js';
import { fieldEffects } from './field-effects.js';
import { editableOf, type GivenResource, givenReads, withEditable } from './given-resource.js';
import { assessmentChecks } from './heard-assessments.js';
import { keepingChecks } from './keeping-checks.js';
import type { PortModel } from './memory-port.js';
import { refuseOverlaps } from './overlaps.js';
import { assertRejected, reportChecks } from './report-checks.js';
import { Trial } from './trial.js';

/** The test data of the contract. */
export interface ControllerCase {
  readonly resource: GivenResource;
  /**
   * Another spec, which must change the desired objects or the systems outside. For a resource without a spec, other
   * fields of its manifest, such as `{ metadata: { labels } }`.
   */
  readonly edited: object;
  /** The same for a resource that the controller does not select. @default - `selects` is not tested */
  readonly unselected?: object;
  /** Objects that the resource refers to, with their status, if its controller reads any. @default - none exist */
  readonly reads?: readonly Manifest[];
  /** Answers to the polls of the controller. @default - every question fails */
  readonly answers?: readonly FakeSource[];
  /** The systems that the controller calls. They answer its polls of them too. @default - every call fails */
  readonly ports?: readonly PortModel[];
  /**
   * Further resources that may exist beside this one, if the spec itself names objects. @default - the same spec under
   * similar names and in another namespace
   */
  readonly others?: readonly GivenResource[];
  /** A spec that `desire` rejects. @default - rejection is not tested */
  readonly rejected?: object;
  /** A spec and a status with which the resource has expired. @default - `expiresAt` is not tested */
  readonly expired?: { readonly spec: object; readonly status: object };
}

/** The number of Jobs, one after the other, that a deletion may wait for. */
const maxTasks = 10;

/** The field manager of users' edits. */
const somebody = 'somebody';

/**
 * The guarantees that hold for every controller, each with a name for a test. They use a memory cluster and no timers.
 *
 * @example for (const { name, holds } of controllerContract(web, given)) it(name, holds);
 */
export function controllerContract(controller: Controller, given: ControllerCase): readonly ContractCheck[] {
  const start = async (spec: object = editableOf(given.resource), tried = controller) => {
    const trial = new Trial(tried, await memoryWith(controller, given), given);
    const resource = await write(trial, given.resource, spec);
    await trial.rest(given.resource);
    return { trial, resource };
  };

  return [
    {
      name: 'creates objects with an owner reference, so that they are deleted with the resource',
      holds: async () => {
        const { trial, resource } = await start();
        const objects = await trial.owned(resource.metadata.uid);
        assert.ok(
          objects.length > 0 || trial.outside.some(({ performed }) => performed.length > 0),
          'the resource owns no objects and needs no calls; use one for which the controller creates some',
        );
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
        const next = new Trial(controller, trial.memory, { ...given, outside: trial.outside });
        const before = await contents(trial, given);
        // A new process has no polled answers at first, which it may report.
        if (Object.keys(controller.polls).length > 0) await next.rest(given.resource);
        assert.equal(await next.pass(given.resource), 0);
        assert.deepEqual(await contents(next, given), before);
      },
    },
    {
      name: 'gives each resource its own objects and Pods',
      holds: async () => {
        await refuseOverlaps(given, async (resource) => {
          const trial = new Trial(controller, await memoryWith(controller, given), given);
          const { metadata } = await write(trial, resource, editableOf(resource));
          await trial.rest(resource);
          return trial.owned(metadata.uid);
        });
      },
    },
    ...assessmentChecks(controller, async (tried) => {
      for (const spec of [editableOf(given.resource), given.edited]) await start(spec, tried);
    }),
    {
      name: 'reaches the same state by an edit as by a creation with the edited spec',
      holds: async () => {
        const { trial } = await start();
        const before = await contents(trial, given);
        await write(trial, given.resource, given.edited);
        await trial.rest(given.resource);
        const after = await contents(trial, given);
        assert.notDeepEqual(after, before, 'no object changed; use an edited spec that changes the objects');
        assert.deepEqual(after, await contents((await start(given.edited)).trial, given));
      },
    },
    {
      name: 'reacts to each edited field, and keeps nothing from earlier calls',
      holds: async () => {
        // Without answers, the effect of a field that depends on an answer is unknown.
        if (Object.keys(controller.polls).length > 0 && !given.answers) return;
        await fieldEffects({ spec: editableOf(given.resource), edited: given.edited }, async (spec) =>
          contents((await start(spec)).trial, given),
        );
      },
    },
    {
      name: 'keeps and repairs the objects of the last accepted spec when a spec is rejected, and reports the rejection',
      holds: async () => {
        if (!given.rejected) return;
        const { trial, resource } = await start();
        const before = await contents(trial, given);
        await write(trial, given.resource, given.rejected);
        await trial.rest(given.resource);
        assert.deepEqual(await contents(trial, given), before);
        await assertRejected(trial, given.resource);
        if (reportsElsewhere(controller)) return; // no former state of the resource is kept
        for (const { kind, object } of await trial.owned(resource.metadata.uid)) {
          await trial.memory.remove(kind, object.metadata, { uid: object.metadata.uid });
        }
        await trial.rest(given.resource);
        assert.deepEqual(await contents(trial, given), before);
        await assertRejected(trial, given.resource);
      },
    },
    {
      name: 'does not fail while objects that it reads are missing',
      holds: async () => {
        const trial = new Trial(controller, new MemoryCluster(), given);
        await write(trial, given.resource, editableOf(given.resource));
        await trial.rest(given.resource);
      },
    },
    {
      name: 'recreates deleted objects and reverts edits',
      holds: async () => {
        const { trial, resource } = await start();
        const before = await contents(trial, given);
        for (const { kind, object } of await trial.owned(resource.metadata.uid)) {
          if (isMadeOnce(object)) continue; // edits of it are kept
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
      name: 'keeps fields that other managers add to its objects',
      holds: async () => {
        const { trial, resource } = await start();
        const theirs = [{ op: 'add', path: '/metadata/annotations/example.org~1theirs', value: '1' }] as const;
        const theirOwn = new Set<string>();
        for (const { kind, object } of await trial.owned(resource.metadata.uid)) {
          await trial.memory.patch(kind, object.metadata, theirs, { manager: somebody });
          theirOwn.add(object.metadata.uid);
        }
        assert.equal(await trial.pass(given.resource), 0);
        await write(trial, given.resource, given.edited);
        await trial.rest(given.resource);
        for (const { object } of await trial.owned(resource.metadata.uid)) {
          const hasTheirs = object.metadata.annotations?.['example.org/theirs'] !== undefined;
          // An object that was deleted and created again is another one.
          assert.ok(
            hasTheirs || !theirOwn.has(object.metadata.uid),
            `${object.kind} ${object.metadata.name} lost a field`,
          );
        }
      },
    },
    {
      name: 'reaches the same state after a crash at any write',
      holds: async () => {
        const whole = await contents((await start()).trial, given);
        for (const isCarriedOut of [false, true]) {
          for (let write = 0, isCut = true; isCut; write++) {
            const cut = await diedAt(controller, given, { write, isCarriedOut });
            assert.deepEqual(cut.contents, whole, `crash at write ${write}, carried out: ${isCarriedOut}`);
            isCut = cut.died;
          }
        }
      },
    },
    {
      name: 'completes the deletion of a resource and leaves nothing behind',
      holds: async () => {
        const { trial, resource } = await start();
        await trial.memory.remove(controller.kind, resource.metadata, { uid: resource.metadata.uid });
        await trial.rest(given.resource);
        for (let task = 0; task < maxTasks && (await succeed(trial, resource)); task++)
          await trial.rest(given.resource);
        const left = await trial.owned(resource.metadata.uid);
        assert.ok(!(await trial.resource(given.resource)), stays(left.map(({ object }) => object)));
        // Without a finalizer, the garbage collector deletes objects with an owner reference.
        assert.deepEqual(controller.finalizes ? left : left.filter(({ object }) => ownerAnnotationOf(object)), []);
      },
    },
    {
      name: 'deletes a resource that has expired, with its objects',
      holds: async () => {
        if (!given.expired) return;
        const { spec, status } = given.expired;
        const { trial, resource } = await start(spec);
        assert.ok(await trial.resource(given.resource), 'the resource was deleted before it had expired');
        const expired = [{ op: 'add', path: '/status', value: status }] as const;
        const asStatus = { manager: somebody, subresource: 'status' } as const;
        await trial.memory.patch(controller.kind, resource.metadata, expired, asStatus);
        await trial.rest(given.resource);
        assert.equal(await trial.resource(given.resource), undefined, 'the resource still exists');
        const left = await trial.owned(resource.metadata.uid);
        assert.deepEqual(controller.finalizes ? left : left.filter(({ object }) => ownerAnnotationOf(object)), []);
      },
    },
    ...reportChecks(controller, { given, start, write }),
    ...callChecks(controller, {
      given,
      start,
      process: (memory, options) => new Trial(controller, memory, { ...given, ...options }),
    }),
    ...keepingChecks(controller, {
      given,
      start,
      unanswered: (memory, outside) => new Trial(controller, memory, { outside }),
    }),
  ];
}

/**
 * Completes the Jobs that a deleted resource waits for, like a cluster with nodes.
 * @returns true if there were any
 */
async function succeed(trial: Trial, { metadata: { uid } }: LiveObject): Promise<boolean> {
  let isAny = false;
  const status = { succeeded: 1, conditions: [{ type: 'Complete', status: 'True' }] };
  for (const { kind, object } of await trial.owned(uid)) {
    if (groupKindOf(kind) !== groupKindOf(Job) || 'status' in object) continue;
    isAny = true;
    const ended = [{ op: 'add', path: '/status', value: status }] as const;
    await trial.memory.patch(kind, object.metadata, ended, { manager: somebody, subresource: 'status' });
  }
  return isAny;
}

/** Why a deleted resource still exists, for the author of `desire`. */
function stays(left: readonly LiveObject[]): string {
  const objects = left.map((object) => `${object.kind} ${keyOf(object.metadata)}`).join(', ');
  return `the resource still exists because desire still renders ${objects}; render nothing when the cleanup is complete`;
}

/** A cluster with the objects that the resource refers to. */
async function memoryWith(controller: Controller, given: ControllerCase): Promise<MemoryCluster> {
  // The same UIDs each time, so that names and identifiers that follow from them can be compared.
  let count = 0;
  const memory = new MemoryCluster({ uid: () => `uid-${++count}` });
  for (const { kind, object } of givenReads(controller, given)) {
    await memory.apply(kind, object, { manager: somebody });
    if ('status' in object) await memory.apply(kind, object, { manager: somebody, subresource: 'status' });
  }
  return memory;
}

/** Writes the resource with a spec, as a user. */
async function write(trial: Trial, resource: GivenResource, spec: object): Promise<LiveObject> {
  return trial.memory.apply(trial.controller.kind, withEditable(resource, spec), { manager: somebody });
}

/** The state after a process crashed at a write and another one took over. */
async function diedAt(controller: Controller, given: ControllerCase, cut: Cut) {
  const memory = await memoryWith(controller, given);
  let died = false;
  const crashed = () => {
    died = true;
  };
  const first = new Trial(controller, memory, { ...given, cluster: cutCluster(memory, { ...cut, crashed }) });
  const next = new Trial(controller, memory, { ...given, outside: first.outside });
  await write(next, given.resource, editableOf(given.resource));
  await first.rest(given.resource).catch((error: unknown) => {
    if (!died) throw error;
  });
  await next.rest(given.resource);
  return { died, contents: await contents(next, given) };
}
