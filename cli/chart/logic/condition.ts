/** When a part exists: a formula over the settings and systems that a user chooses. */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | { readonly setting: string }
  | { readonly system: string };

/** What a user chooses: the names of the settings that are made, and of the systems. */
export interface Choice {
  readonly settings: ReadonlySet<string>;
  readonly systems: ReadonlySet<string>;
}

/** The condition that always holds. */
export const always: Condition = { all: [] };

/** Holds if all conditions hold. */
export function allOf(conditions: readonly Condition[]): Condition {
  const [only = always, ...more] = conditions.flatMap((one) => ('all' in one ? one.all : [one]));
  return more.length === 0 ? only : { all: [only, ...more] };
}

/** Holds if one of the conditions holds. */
export function anyOf(conditions: readonly Condition[]): Condition {
  const [only, ...more] = conditions;
  return only !== undefined && more.length === 0 ? only : { any: conditions };
}

/** Whether a condition always holds. */
export function isAlways(condition: Condition): boolean {
  return 'all' in condition && condition.all.length === 0;
}

/** Whether a condition holds for a choice. */
export function holds(condition: Condition, choice: Choice): boolean {
  if ('all' in condition) return condition.all.every((one) => holds(one, choice));
  if ('any' in condition) return condition.any.some((one) => holds(one, choice));
  if ('not' in condition) return !holds(condition.not, choice);
  return 'setting' in condition ? choice.settings.has(condition.setting) : choice.systems.has(condition.system);
}
