import { hash } from 'node:crypto';
import { type ApiObject, App, Chart } from 'cdk8s';
import type { Controller } from '../controller/controller.js';
import type { CustomResource } from '../controller/custom-resource.js';
import { groupKindOf } from '../kubernetes/kinds.js';

/**
 * The scope that `desire` renders a resource into. Its path names the resource and the controller, because the classes
 * of cdk8s-plus derive the labels and selectors of their Pods from the path: with one path for all, the Service of one
 * resource would select the Pods of every other. It refuses to generate the name of an object, because a name from the
 * path would differ between `cdk8s synth` and the operator.
 */
export class ResourceScope extends Chart {
  constructor(controller: Pick<Controller, 'kind' | 'name'>, resource: CustomResource) {
    const { namespace, name } = resource.metadata;
    super(new App(), pathOf(controller, resource), namespace === undefined ? {} : { namespace });
    // The constructs of this package leave to the operator what they check in `cdk8s synth`.
    this.node.setContext('reconstruct.dev/resource', name);
  }

  override generateObjectName(object: ApiObject): string {
    const ids = object.node.scopes.slice(this.node.scopes.length).map(({ node }) => node.id);
    const own = ids.filter((id) => id !== 'Resource' && id !== 'Default');
    throw new Error(
      `${object.kind} at ${own.join('/')} has no name: set metadata.name, or the option name of the method that creates ` +
        `it, to childName(resource.metadata.name, '${suffixOf(own.at(-1), object)}')`,
    );
  }
}

/**
 * `0123456789ab-web`: unlike any other path up to a collision of 48 bits. cdk8s hashes a path to 24 bits and keeps the
 * readable end of it in 63 characters, so the hash stands first. Dots are not allowed in all names that cdk8s-plus
 * derives from a path, such as those of volumes.
 */
function pathOf({ kind, name: controller }: Pick<Controller, 'kind' | 'name'>, { metadata }: CustomResource): string {
  const { namespace = '', name } = metadata;
  const identity = JSON.stringify([groupKindOf(kind), namespace, name, controller]);
  return `${hash('sha256', identity, 'hex').slice(0, 12)}-${name.replaceAll('.', '-')}`;
}

const longestSuffix = 26;

/** A suffix that `childName` accepts. */
function suffixOf(id: string | undefined, { kind }: ApiObject): string {
  const suffix = id?.toLowerCase() ?? '';
  return /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(suffix) && suffix.length <= longestSuffix
    ? suffix
    : kind.toLowerCase().slice(0, longestSuffix);
}
