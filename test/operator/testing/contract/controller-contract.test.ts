import { describe, expect, it } from 'vitest';
import type { Controller } from '../../../../operator/runtime/controller/controller.js';
import { ConfigMap, Job, type ObjectKind } from '../../../../operator/runtime/kubernetes/kinds.js';
import { type ControllerCase, controllerContract } from '../../../../operator/testing/index.js';
import { reachingController } from '../../runtime/given/reach.js';
import { add, type Widget, widget, widgetController, widgetKind } from '../../runtime/given/widgets.js';

const given: ControllerCase = {
  resource: widget('web', { maps: { a: { size: '1' }, b: {} }, workload: true }),
  edited: { maps: { a: { size: '2', more: '1' }, c: {} }, workload: true },
  rejected: { rejected: 'set size to 1 or more, got 0' },
};

describe.each([false, true])('a controller that finalizes: %s', (finalizes) => {
  for (const { name, holds } of controllerContract(widgetController({ finalizes }), given)) it(name, holds);
});

describe('a controller whose objects are where no owner reference reaches', () => {
  const reach = (maps: readonly string[], roles: readonly string[]) => ({ maps, roles });
  const resource = { ...given.resource, spec: reach(['other/a', 'team/b'], ['c']) };
  const edited = reach(['third/a'], ['c', 'd']);
  const others = [{ ...widget('web-2'), spec: reach(['other/b'], ['e']) }];
  for (const { name, holds } of controllerContract(reachingController(), { resource, edited, others })) it(name, holds);
});

describe('a controller that undoes by a Job', () => {
  const undoing = widgetController({
    owns: [ConfigMap, Job],
    finalizes: true,
    desire: (scope, { resource, owned }) => {
      if (!resource.metadata.deletionTimestamp) {
        const { metadata, spec } = resource as Widget;
        for (const end of Object.keys(spec.maps ?? {})) add(scope, 'v1', 'ConfigMap', `${metadata.name}-${end}`);
      } else if (!owned.one(Job)?.status?.succeeded) add(scope, 'batch/v1', 'Job', `${resource.metadata.name}-purge`);
    },
  });
  const { resource, edited } = given;
  for (const { name, holds } of controllerContract(undoing, { resource, edited })) it(name, holds);
});

describe('the contract', () => {
  let passes = 0;
  let first: Widget['spec'] | undefined;
  const broken = (desire: Controller['desire'], changes: Partial<Controller> = {}) =>
    widgetController({ desire, ...changes });
  const mapsOf = (resource: object) => Object.entries((resource as Widget).spec.maps ?? {});

  it.each([
    {
      finds: 'writes nothing in a second reconcile, or in ten, or in another process',
      when: 'desire is not pure',
      controller: broken((scope) => {
        add(scope, 'v1', 'ConfigMap', 'a', { data: { passes: String(passes++) } });
      }),
    },
    {
      finds: 'creates objects with an owner reference, so that they are deleted with the resource',
      when: 'nothing comes of it',
      controller: broken(() => {}),
    },
    {
      finds: 'sets only declared conditions, because others are not reported',
      saying: 'declare these in conditions',
      when: 'one is called otherwise than it is declared',
      controller: widgetController({ assess: () => ({ conditions: { Aviable: { reason: 'Yes' } } }) }),
    },
    {
      finds: 'reports each condition that Ready waits for, and only status fields of its kind',
      saying: 'return these from assess, or list them in optionalConditions',
      when: 'assess forgets one',
      controller: widgetController({
        conditions: { ...widgetController().conditions, Served: { Serving: ['True', 'It serves'] } },
      }),
    },
    {
      finds: 'reports each condition that Ready waits for, and only status fields of its kind',
      saying: 'correct the names of these status fields, or add them to the schema',
      when: 'one result of assess has a misspelt status field',
      controller: widgetController({
        kind: { ...widgetKind, statusFields: ['size', 'conditions', 'observedGeneration'] } as ObjectKind,
        assess: ({ owned }) => ({
          conditions: { Sized: { reason: 'Fits' } },
          status: owned.of(ConfigMap).length > 1 ? { sise: 1 } : { size: 1 },
        }),
      }),
    },
    {
      finds: 'reaches the same state by an edit as by a creation with the edited spec',
      when: 'what was there decides',
      controller: broken((scope, { owned, resource }) => {
        for (const { metadata } of owned.all()) add(scope, 'v1', 'ConfigMap', metadata.name);
        const known = new Set(owned.all().map(({ metadata }) => metadata.name));
        for (const [end] of mapsOf(resource)) if (!known.has(end)) add(scope, 'v1', 'ConfigMap', end);
      }),
    },
    {
      finds: 'reacts to each edited field, and keeps nothing from earlier calls',
      saying: 'a change of maps has no effect; if none is expected',
      when: 'a field is kept from the first call on, and another is not',
      controller: broken((scope, { resource }) => {
        first ??= (resource as Widget).spec;
        const data = { workload: String((resource as Widget).spec.workload) };
        for (const end of Object.keys(first.maps ?? {})) add(scope, 'v1', 'ConfigMap', end, { data });
      }),
      edited: { maps: { a: { size: '2' } }, workload: false },
    },
    {
      finds:
        'keeps and repairs the objects of the last accepted spec when a spec is rejected, and reports the rejection',
      when: 'a rejected spec becomes nothing',
      controller: broken((scope, { resource }) => {
        for (const [end] of mapsOf(resource)) add(scope, 'v1', 'ConfigMap', end);
      }),
    },
    {
      finds: 'completes the deletion of a resource and leaves nothing behind',
      saying: 'the resource still exists because desire still renders ConfigMap team/a; render nothing when',
      when: 'something is wanted for ever',
      controller: broken(
        (scope) => {
          add(scope, 'v1', 'ConfigMap', 'a');
        },
        { finalizes: true },
      ),
    },
  ])(
    'finds a controller of which it does not hold that it $finds: $when',
    async ({ finds, saying = /./, controller, edited = given.edited }) => {
      const promised = controllerContract(controller, { ...given, edited }).find(({ name }) => name === finds);
      await expect(promised?.holds()).rejects.toThrow(saying);
    },
  );
});
