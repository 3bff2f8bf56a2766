import { type CustomResourceDefinition, kinds, toCustomResourceDefinition } from '../../crds/index.js';
import type { OperatorInstallProps } from './operator-install-props.js';

/** The definitions that an installation has: those of this package's kinds that its controllers run, and the given. */
export function definedBy({ controllers, crds = [] }: OperatorInstallProps): readonly CustomResourceDefinition[] {
  const ours = kinds.filter(({ group, kind }) =>
    controllers.some((controller) => controller.kind.group === group && controller.kind.kind === kind),
  );
  return [...ours.map(toCustomResourceDefinition), ...crds];
}
