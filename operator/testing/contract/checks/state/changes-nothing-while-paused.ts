import assert from 'node:assert/strict';
import { runtimeStatusOf } from '../../../../runtime/controller/custom-resource.js';
import { pausedCondition, reportsElsewhere } from '../../../../runtime/controller/owned-status.js';
import { pausedAnnotation } from '../../../../runtime/kubernetes/pause.js';
import { contents } from '../../trial/contents.js';
import type { ControllerCheck } from '../../trial/controller-check.js';

export const changesNothingWhilePaused: ControllerCheck = {
  name: 'changes nothing while the resource is paused, also in another process, and applies the edited spec when it is resumed',
  holds: async ({ controller, given, process, start, write }) => {
    const { trial } = await start();
    const before = await contents(trial, given);
    const { apiVersion, kind, metadata } = given.resource;
    const { name, namespace } = metadata;
    const annotate = (annotations: Readonly<Record<string, string>>) => {
      const annotated = { apiVersion, kind, metadata: { name, ...(namespace && { namespace }), annotations } };
      return trial.memory.apply(controller.kind, annotated, { manager: 'pauser' });
    };
    await annotate({ [pausedAnnotation]: 'true' });
    await write(trial, given.resource, given.edited);
    await trial.rest(given.resource);
    const next = process(trial.memory, { outside: trial.outside });
    await next.rest(given.resource);
    assert.deepEqual(await contents(next, given), before, 'an object changed while the resource was paused');
    if (controller.isPrimary && !reportsElsewhere(controller)) {
      const types = runtimeStatusOf(await next.resource(given.resource)).conditions?.map(({ type }) => type) ?? [];
      assert.ok(types.includes(pausedCondition), 'no condition reports that the resource is paused');
    }
    await annotate({});
    await next.rest(given.resource);
    const unpaused = (await start()).trial;
    await write(unpaused, given.resource, given.edited);
    await unpaused.rest(given.resource);
    assert.deepEqual(await contents(next, given), await contents(unpaused, given));
  },
};
