import { allKinds, type CustomResourceDefinition, toCustomResourceDefinition } from '../../crds/index.js';
import type { OperatorInstallProps } from './operator-install-props.js';

/** The CRDs of an installation: those of this package for the kinds of its controllers, and those in `crds`. */
export function definedBy({ controllers, crds = [] }: OperatorInstallProps): readonly CustomResourceDefinition[] {
  const ours = allKinds.filter(({ group, kind }) =>
    controllers.some((controller) => controller.kind.group === group && controller.kind.kind === kind),
  );
  return [...ours.map(toCustomResourceDefinition), ...crds];
}
