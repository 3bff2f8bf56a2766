import type { Controller } from '../../runtime/controller/controller.js';

/** The same controller, and the conditions that its `assess` says meanwhile and it does not declare: they reach nobody. */
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
