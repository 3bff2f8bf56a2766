import type { Controller } from '../../runtime/controller/controller.js';

/** The same controller, and the set of conditions that its `assess` returns without a declaration. They are not reported. */
export function withUndeclaredConditions(controller: Controller): {
  readonly heard: Controller;
  readonly undeclared: ReadonlySet<string>;
} {
  const undeclared = new Set<string>();
  const assess: Controller['assess'] = (...args) => {
    const assessment = controller.assess(...args);
    for (const [type, mark] of Object.entries(assessment.conditions)) {
      if (mark && !Object.hasOwn(controller.conditions, type)) undeclared.add(type);
    }
    return assessment;
  };
  return { heard: { ...controller, assess }, undeclared };
}
