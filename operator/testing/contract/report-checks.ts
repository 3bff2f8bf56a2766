import assert from 'node:assert/strict';
import { conditionOf } from '../../runtime/controller/conditions.js';
import type { Controller } from '../../runtime/controller/controller.js';
import type { CustomResource } from '../../runtime/controller/custom-resource.js';
import { reportIn, reportsElsewhere } from '../../runtime/controller/owned-status.js';
import { Event } from '../../runtime/kubernetes/kinds.js';
import type { LiveObject } from '../../runtime/kubernetes/object.js';
import type { ContractCheck } from './contract-check.js';
import type { GivenResource } from './given-resource.js';
import { memoryPorts, type PortModel, statesOf } from './memory-port.js';
import type { Trial } from './trial.js';

interface ReportTrials {
  readonly given: {
    readonly resource: GivenResource;
    readonly edited: object;
    readonly unselected?: object;
    readonly rejected?: object;
    readonly ports?: readonly PortModel[];
  };
  /** A process that has reconciled the resource until nothing is left to do. */
  readonly start: (spec?: object) => Promise<{ readonly trial: Trial; readonly resource: LiveObject }>;
  /** Writes the resource, as a user. */
  readonly write: (trial: Trial, resource: GivenResource, spec: object) => Promise<LiveObject>;
}

/** The guarantees of what a controller reports, and of the end of its report. */
export function reportChecks(controller: Controller, { given, start, write }: ReportTrials): readonly ContractCheck[] {
  return [
    {
      name: 'reports the generation of its status',
      holds: async () => {
        const { trial } = await start();
        await write(trial, given.resource, given.edited);
        await trial.pass(given.resource);
        const resource = await trial.resource(given.resource);
        if (!resource || controller.reportsTo === 'events') return; // events have no generation
        const { conditions = [], observedGeneration } = reportIn(controller, resource);
        const isWhole = controller.isPrimary && !reportsElsewhere(controller);
        const generations = isWhole ? [observedGeneration] : conditions.map((one) => one.observedGeneration);
        assert.deepEqual([...new Set(generations)], [resource.metadata.generation ?? 0]);
      },
    },
    {
      name: 'reports the rejection of the first spec of a resource',
      holds: async () => {
        if (!given.rejected) return;
        const { trial } = await start(given.rejected);
        await assertRejected(trial, given.resource);
      },
    },
    {
      name: 'leaves nothing behind for a resource that it no longer selects',
      holds: async () => {
        if (!given.unselected) return;
        const { trial, resource } = await start();
        await write(trial, given.resource, given.unselected);
        await trial.rest(given.resource);
        const left = (await trial.resource(given.resource)) as CustomResource;
        assert.deepEqual(await trial.owned(resource.metadata.uid), [], 'objects are left');
        assert.deepEqual(left.metadata.finalizers ?? [], resource.metadata.finalizers ?? [], 'a finalizer is left');
        assert.deepEqual(reportIn(controller, left), {}, 'a report is left');
        assert.deepEqual(statesOf(trial.outside), statesOf(memoryPorts(given.ports)), 'something is left outside');
      },
    },
  ];
}

/** Checks that the rejection of the spec is in the report, or in an event if nothing else reports. */
export async function assertRejected(trial: Trial, resource: GivenResource): Promise<void> {
  const live = (await trial.resource(resource)) as CustomResource;
  if (trial.controller.reportsTo === 'events') {
    const { items } = await trial.memory.list(Event, {});
    const warnings = items.filter((event) => (event as { readonly type?: string }).type === 'Warning');
    assert.notEqual(warnings.length, 0, 'no event reports the rejection');
    return;
  }
  const status = reportIn(trial.controller, live);
  assert.equal(conditionOf({ status }, 'Accepted')?.status, 'False');
}
