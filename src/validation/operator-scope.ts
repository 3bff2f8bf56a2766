import type { IConstruct } from 'constructs';

/** The context key that the runtime sets on the scope of a resource. Its value is the name of the resource. */
const resourceContext = 'reconstruct.dev/resource';

/**
 * Whether the operator renders the construct. Its resources have names that the API server accepted, and it reports
 * objects that are rendered twice itself.
 */
export function isInOperator(construct: IConstruct): boolean {
  return construct.node.tryGetContext(resourceContext) !== undefined;
}
