import { type DatabaseResource, databaseKind } from '../../../imports/index.js';
import { instanceImage } from '../../../src/index.js';
import type { Controller, Facts } from '../../runtime/index.js';

/**
 * The same controllers, with another image repository for Databases. A spec with `image` takes precedence.
 * @param repository without a tag; empty for the repository of this release
 */
export function withImageRepository(repository: string, controllers: readonly Controller[]): readonly Controller[] {
  if (repository === '') return controllers;
  return controllers.map((controller) => {
    const isOf = isDatabase(controller.kind);
    const read = Object.entries(controller.reads).filter(([, { form, kind }]) => form === 'one' && isDatabase(kind));
    if (!isOf && read.length === 0) return controller;
    const seen = <F extends Facts>(facts: F): F => {
      const reads = read.map(([name]) => [name, imaged(facts.reads[name], repository)]);
      const resource = isOf ? imaged(facts.resource, repository) : facts.resource;
      return { ...facts, resource, reads: { ...facts.reads, ...Object.fromEntries(reads) } };
    };
    const desire: Controller['desire'] = (scope, facts) => controller.desire(scope, seen(facts));
    const assess: Controller['assess'] = (outcome) => controller.assess(seen(outcome));
    return Object.freeze({ ...controller, desire, assess });
  });
}

function isDatabase(kind: Controller['kind']): boolean {
  return kind.group === databaseKind.group && kind.kind === databaseKind.kind;
}

function imaged<T>(resource: T, repository: string): T {
  if (resource === undefined) return resource;
  const database = resource as T & DatabaseResource;
  return { ...database, spec: { ...database.spec, image: instanceImage(database.spec, repository) } };
}
