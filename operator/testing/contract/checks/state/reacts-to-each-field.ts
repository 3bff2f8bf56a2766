import { contents } from '../../trial/contents.js';
import type { ControllerCheck } from '../../trial/controller-check.js';
import { editableOf } from '../../trial/given-resource.js';
import { fieldEffects } from './field-effects.js';

export const reactsToEachField: ControllerCheck = {
  name: 'reacts to each edited field, and keeps nothing from earlier calls',
  holds: async ({ controller, given, start }) => {
    // Without answers, the effect of a field that depends on an answer is unknown.
    if (Object.keys(controller.polls).length > 0 && !given.answers) return;
    await fieldEffects({ spec: editableOf(given.resource), edited: given.edited }, async (spec) =>
      contents((await start(spec)).trial, given),
    );
  },
};
