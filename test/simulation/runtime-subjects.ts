import type { Controller } from '../../operator/runtime/controller/controller.js';
import { withoutOwnerReference } from '../../operator/runtime/controller/owned-kinds.js';
import { ConfigMap, Deployment, HorizontalPodAutoscaler, Service } from '../../operator/runtime/kubernetes/kinds.js';
import { fakeSource } from '../../operator/testing/contract/trial/answers.js';
import type { ControllerCase } from '../../operator/testing/contract/trial/controller-case.js';
import type { GivenResource } from '../../operator/testing/contract/trial/given-resource.js';
import { gatherer, gathererController, hastyController, oracle } from '../operator/runtime/given/pollers.js';
import { reader, readerController, requiringController, secret, themed } from '../operator/runtime/given/readers.js';
import { nameServiceWithin, record, recordController, unaskedWhenDeleted } from '../operator/runtime/given/records.js';
import { widget, widgetController } from '../operator/runtime/given/widgets.js';
import { cleaned } from './cleanup.js';
import { distantController } from './given-cross-namespace.js';

/** A controller to simulate, and what with. */
export interface Subject {
  readonly controller: Controller;
  readonly given: ControllerCase;
}

const maps: ControllerCase = {
  resource: widget('web', { maps: { a: { size: '1', extra: '1' }, b: {} } }),
  edited: { maps: { a: { size: '2', more: '1' }, c: {} } },
  rejected: { rejected: 'set size to 1 or more, got 0' },
};

const waves: ControllerCase = {
  resource: widget('web', { maps: { a: { size: '1' }, b: {} }, workload: true }),
  edited: { maps: { b: { size: '2' } }, workload: false },
};

const others = [Service, Deployment, HorizontalPodAutoscaler] as const;

/** Controllers of tests, by name. They load no kind of the product. */
export const runtimeSubjects: Readonly<Record<string, Subject>> = {
  /** One kind, some of which is pruned. */
  maps: { controller: widgetController({ name: 'maps' }), given: maps },
  /** Several kinds in waves. */
  waves: { controller: widgetController({ name: 'waves' }), given: waves },
  /** Undoes what it made itself. */
  finalizer: { controller: widgetController({ name: 'finalizer', finalizes: true }), given: waves },
  /** Undoes by a Job. */
  cleaned: { controller: cleaned, given: { resource: maps.resource, edited: maps.edited } },
  /** Holds data that no garbage collector may take. */
  withoutOwner: {
    controller: widgetController({
      name: 'untied',
      owns: [withoutOwnerReference(ConfigMap), ...others],
      finalizes: true,
    }),
    given: waves,
  },
  /** Makes objects that no owner reference reaches. */
  crossNamespace: { controller: distantController, given: { ...waves, rejected: { rejected: 'not so' } } },
  /** Looks at what others made. */
  reader: {
    controller: readerController as unknown as Controller,
    given: {
      resource: reader('web', { key: 'key', more: ['key', 'other'], theme: 'dark' }) as GivenResource,
      edited: { key: 'other', theme: 'light' },
      reads: [
        secret('key', 'a'),
        secret('other', 'b'),
        themed('night', 'dark', 'black'),
        themed('noon', 'light', 'red'),
      ],
    },
  },
  /** Polls a source outside the API server. */
  poller: {
    controller: gathererController,
    given: {
      resource: gatherer('web', { question: 'colour', every: 5_000 }) as GivenResource,
      edited: { question: 'size', every: 5_000 },
      answers: [fakeSource(oracle, (question) => ({ word: `${question} it is` }))],
    },
  },
  /** Renders nothing without an answer. */
  hasty: {
    controller: hastyController(),
    given: {
      resource: gatherer('web', { question: 'colour', every: 5_000 }) as GivenResource,
      edited: { question: 'size', every: 5_000 },
      answers: [fakeSource(oracle, (question) => ({ word: `${question} it is` }))],
    },
  },
  /** Works with an object that others may delete. */
  requiring: {
    controller: requiringController as unknown as Controller,
    given: {
      resource: reader('web', { key: 'key', more: ['other'] }) as GivenResource,
      edited: { key: 'other', more: [] },
      reads: [secret('key', 'a'), secret('other', 'b')],
    },
  },
  /** Keeps a record outside of the cluster. */
  caller: {
    controller: recordController({ visibleWithin: 60_000 }),
    given: {
      resource: record('web', { address: '1', map: true }),
      edited: { address: '2' },
      ports: [nameServiceWithin(60_000)],
    },
  },
  /** The same for a service that goes with its records, so that nothing shows whether a late call had an effect. */
  unasked: {
    controller: unaskedWhenDeleted(recordController({ visibleWithin: 60_000 })),
    given: {
      resource: record('web', { address: '1', map: true }),
      edited: { address: '2' },
      ports: [nameServiceWithin(60_000)],
    },
  },
  /** The same for a service that shows changes late. */
  slow: {
    controller: recordController({ visibleWithin: 360_000 }),
    given: {
      ...{ resource: record('web', { address: '1', map: true }), edited: { address: '2' } },
      ports: [{ ...nameServiceWithin(360_000), showsWithin: 300_000 }],
    },
  },
  /** The same by calls that must not be repeated without a proof. */
  irreversible: {
    controller: recordController({ visibleWithin: 60_000, irreversible: true }),
    given: { resource: record('web', { address: '1' }), edited: { address: '2' }, ports: [nameServiceWithin(60_000)] },
  },
  /** The same for a kind whose status belongs to others. */
  elsewhere: {
    controller: recordController({ visibleWithin: 60_000 }, true, { name: 'elsewhere', reportsTo: 'annotation' }),
    given: {
      resource: record('web', { address: '1', map: true }),
      edited: { address: '2' },
      ports: [nameServiceWithin(60_000)],
    },
  },
};
