import type { Controller } from '../controller/controller.js';
import type { Facts } from '../controller/facts.js';
import type { Read } from '../controller/reads.js';
import { callUserCode } from '../controller/user-code.js';
import { RejectedError } from '../kubernetes/errors.js';

/**
 * Refuses a resource without the objects that its controller requires, so that `desire` is not called without them.
 * @throws {RejectedError} with the reason `<Kind>Missing`, which names all objects that are missing
 */
export function refuseMissing(controller: Controller, facts: Facts): void {
  const required = Object.entries(controller.reads).filter(([, { isRequired }]) => isRequired);
  if (required.length === 0) return;
  const missing = required.flatMap(([name, read]) => {
    const found: unknown = (facts.reads as Readonly<Record<string, unknown>>)[name];
    const objects = read.form === 'each' ? (found as readonly unknown[]) : [found];
    if (!objects.includes(undefined)) return [];
    const stated = callUserCode(controller.name, 'reads', () => read.refersTo(facts.resource));
    return stated.flatMap((reference, index) =>
      objects[index] === undefined && 'name' in reference ? [{ kind: read.kind, ...reference }] : [],
    );
  });
  const [first] = missing;
  if (!first) return;
  throw new RejectedError(`${first.kind.kind}Missing`, missing.map(described).join('; '));
}

function described({ kind, namespace, name }: Pick<Read, 'kind'> & { namespace: string; name: string }): string {
  const where = namespace === '' ? '' : ` in namespace ${namespace}`;
  return `${kind.kind} ${name} does not exist${where}: create it`;
}
