import { authored } from './authored.js';
import type { Controller, CustomResource, Facts } from './controller.js';
import type { Answers, Asking, Gathered } from './gather.js';
import type { Askings } from './gathering.js';
import { look } from './look.js';
import { keyOf } from './object.js';
import { Sight } from './sight.js';
import type { View } from './workplace.js';

/** What a resource asks as it is now, and what is known of it. */
export interface Asked {
  readonly askings: Askings;
  readonly answers: Answers;
  /** What was looked at to say so. */
  readonly sight: Sight;
}

/** For a controller that gathers nothing. */
export const nothingAsked: Asked = Object.freeze({
  askings: new Map(),
  answers: Object.freeze({}),
  sight: new Sight(),
});

/** What a resource asks, as its controller declares it, and what is known of that by now. */
export function askedBy(resource: CustomResource, view: View): Asked {
  const { controller, gathering } = view;
  if (Object.keys(controller.gather).length === 0) return nothingAsked;
  const key = keyOf(resource.metadata);
  return askedFor(controller, look(resource, view), (name, asking) => gathering?.answerTo(key, name, asking));
}

/** @param answerTo what is known; undefined of what was not asked yet */
export function askedFor(
  { name: controller, gather }: Pick<Controller, 'name' | 'gather'>,
  facts: Facts,
  answerTo: (name: string, asking: Asking) => Gathered | undefined,
): Asked {
  const sight = new Sight();
  const seen = sight.of(facts);
  const askings = new Map<string, Asking>();
  const answers: Record<string, Gathered> = {};
  const unasked = { known: false, why: 'not asked yet', since: facts.now.getTime(), earlier: [] } as const;
  for (const [name, { asking }] of Object.entries(gather)) {
    const wanted = authored(controller, 'gather', () => asking(seen));
    if (!wanted) continue;
    askings.set(name, wanted);
    answers[name] = answerTo(name, wanted) ?? unasked;
  }
  return { askings, answers: Object.freeze(answers), sight };
}
