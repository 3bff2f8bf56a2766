import { Argument } from 'commander';
import type { ObjectKind } from '../../operator/runtime/kubernetes/kinds.js';

const kinds = new WeakMap<Argument, ObjectKind>();

/** The argument `<name>` of a command about a resource of this kind. Shells complete it from the cluster. */
export function resourceArgument(kind: ObjectKind): Argument {
  const argument = new Argument('<name>', `name of the ${kind.kind}`);
  kinds.set(argument, kind);
  return argument;
}

/** The kind whose names an argument takes. Undefined for other arguments. */
export function kindOfArgument(argument: Argument): ObjectKind | undefined {
  return kinds.get(argument);
}
