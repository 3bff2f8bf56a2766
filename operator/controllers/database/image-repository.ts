import { type DatabaseResource, databaseKind } from '../../../imports/index.js';
import { instanceImage } from '../../../src/index.js';
import type { Controller, Facts, Outcome } from '../../runtime/index.js';

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
    const seen = (facts: Facts): Facts => {
      const found = () => read.map(([name]) => [name, imaged(facts.reads[name], repository)]);
      return withGetters(facts, {
        ...(isOf && { resource: () => imaged(facts.resource, repository) }),
        ...(read.length > 0 && { reads: () => ({ ...facts.reads, ...Object.fromEntries(found()) }) }),
      });
    };
    const desire: Controller['desire'] = (scope, facts) => controller.desire(scope, seen(facts));
    const assess: Controller['assess'] = (outcome) => controller.assess(seen(outcome) as Outcome);
    return Object.freeze({ ...controller, desire, assess });
  });
}

function isDatabase(kind: Controller['kind']): boolean {
  return kind.group === databaseKind.group && kind.kind === databaseKind.kind;
}

function imaged<T>(resource: T, repository: string): T {
  if (resource === undefined) return resource;
  const database: DatabaseResource = resource as T & DatabaseResource;
  const spec = () => ({ ...database.spec, image: instanceImage(database.spec, repository) });
  return withGetters(database, { spec }) as T & DatabaseResource;
}

/**
 * The same object with other getters for some properties. A copy of the values would read every fact, and the result
 * would count as depending on all of them, the time included.
 */
function withGetters<T extends object>(object: T, getters: { readonly [N in keyof T]?: () => T[N] }): T {
  const others = Object.entries(getters).map(([name, get]) => [name, { get, enumerable: true }]);
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(object), ...Object.fromEntries(others) },
  ) as T;
}
