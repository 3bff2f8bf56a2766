import type { Controller, Facts, Outcome } from '../runtime/index.js';
import { databaseImages } from './database/image.js';
import { kafkaImages } from './kafka/image.js';

type ImageOf = (spec: never, repository: string) => string;

/** Kinds whose images depend on a version, and the option with their repository. */
const kinds = [
  { ...databaseImages, option: 'postgresRepository' },
  { ...kafkaImages, option: 'kafkaRepository' },
] as const;

/**
 * The same controllers, with other image repositories. A spec with `image` takes precedence.
 * @param options repositories without a tag; an empty one is that of this release
 */
export function withImageRepositories(
  options: Readonly<Record<(typeof kinds)[number]['option'], string>>,
  controllers: readonly Controller[],
): readonly Controller[] {
  return kinds.reduce(
    (all, { kind, option, imageOf }) =>
      options[option] === ''
        ? all
        : all.map((one) => withImageOf(one, kind, (spec) => (imageOf as ImageOf)(spec, options[option]))),
    controllers,
  );
}

type Kind = Pick<Controller['kind'], 'group' | 'kind'>;

/** A controller that sees the kind with its image. A part of a resource that it reads has no spec. */
function withImageOf(controller: Controller, kind: Kind, imageOf: (spec: never) => string): Controller {
  const isOwnKind = isSame(controller.kind, kind);
  const read = Object.entries(controller.reads).filter(
    ([, { form, kind: other, part }]) => form === 'one' && !part && isSame(other, kind),
  );
  if (!isOwnKind && read.length === 0) return controller;
  const withImages = (facts: Facts): Facts => {
    const found = () => read.map(([name]) => [name, withImage(facts.reads[name], imageOf)]);
    return withGetters(facts, {
      ...(isOwnKind && { resource: () => withImage(facts.resource, imageOf) }),
      ...(read.length > 0 && { reads: () => ({ ...facts.reads, ...Object.fromEntries(found()) }) }),
    });
  };
  const desire: Controller['desire'] = (scope, facts) => controller.desire(scope, withImages(facts));
  const assess: Controller['assess'] = (outcome) => controller.assess(withImages(outcome) as Outcome);
  return Object.freeze({ ...controller, desire, assess });
}

function isSame(one: Kind, other: Kind): boolean {
  return one.group === other.group && one.kind === other.kind;
}

function withImage<T>(resource: T, imageOf: (spec: never) => string): T {
  if (resource === undefined) return resource;
  const stated = resource as { readonly spec: object };
  return withGetters(stated, { spec: () => ({ ...stated.spec, image: imageOf(stated.spec as never) }) }) as T;
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
