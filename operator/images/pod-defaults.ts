import { imageIn } from '../../src/workload/image.js';
import type { Controller, Facts, ObjectKind, Outcome, StableFacts } from '../runtime/index.js';
import { templatePlaces, withPullSecrets } from './pull-secrets.js';
import { addPullSecrets } from './workloads.js';

type Kind = Pick<ObjectKind, 'group' | 'kind'>;

/**
 * A kind whose controllers create Pods or Jobs from its spec. A kind with workloads alone, such as a Deployment, needs no
 * entry.
 * @typeParam O name of the option with the repository of its images
 */
export interface KindPods<O extends string = string> {
  readonly kind: Kind;
  /** The image of a spec that names none. @default - each spec names its image */
  readonly image?: {
    /** The image of a spec. A spec with `image` takes precedence over the repository, which has no tag. */
    readonly imageOf: (spec: never, repository: string) => string;
    /** The repository of this release. */
    readonly repository: string;
    /** The option with another repository, which takes precedence over the registry. @default - none */
    readonly option?: O;
  };
}

/** The options of images, and repositories by the names of their options. Empty for the images of this release. */
export type PodOptions<O extends string = never> = Readonly<Record<O, string>> & {
  /** Registry of all images, with an optional path. */
  readonly imageRegistry: string;
  /** Names of Secrets in the namespace of each resource. */
  readonly imagePullSecrets: readonly string[];
};

/** Adds defaults to a spec. */
type WithDefaults = (spec: object) => object;

/**
 * The same controllers, whose functions see specs with the images and pull secrets of the operator. An image or a pull
 * secret in a spec takes precedence.
 */
export function withPodDefaults<O extends string>(
  pods: readonly KindPods<O>[],
  options: PodOptions<O>,
  controllers: readonly Controller[],
): readonly Controller[] {
  const seen = pods.reduce((all, one) => {
    const withDefaults = defaultsOf(one, options);
    return withDefaults ? all.map((controller) => withSpecOf(controller, one.kind, withDefaults)) : all;
  }, controllers);
  const { imagePullSecrets } = options;
  return imagePullSecrets.length === 0 ? seen : seen.map((one) => withWorkloads(one, imagePullSecrets));
}

/** What the options change in the specs of a kind. Undefined for nothing. */
function defaultsOf<O extends string>({ kind, image }: KindPods<O>, options: PodOptions<O>): WithDefaults | undefined {
  const { imageRegistry, imagePullSecrets: secrets } = options;
  const stated = image?.option === undefined ? '' : options[image.option];
  const repository = image && (stated || (imageRegistry && imageIn(imageRegistry, image.repository)));
  const places = secrets.length > 0 ? templatePlaces(kind) : [];
  if (!repository && places.length === 0) return undefined;
  return oncePerSpec((spec) => {
    const imaged = image && repository ? { ...spec, image: image.imageOf(spec as never, repository) } : spec;
    return withPullSecrets(imaged, places, secrets);
  });
}

/** Fills a spec once, because a reconcile reads it many times. Specs in the caches never change. */
function oncePerSpec(fill: WithDefaults): WithDefaults {
  const filled = new WeakMap<object, object>();
  return (spec) => {
    const known = filled.get(spec) ?? fill(spec);
    filled.set(spec, known);
    return known;
  };
}

/** A controller that sees the kind with its defaults. A part of a resource that it reads has no spec. */
function withSpecOf(controller: Controller, kind: Kind, withDefaults: WithDefaults): Controller {
  const isOwnKind = isSame(controller.kind, kind);
  const read = Object.entries(controller.reads).filter(
    ([, { form, kind: other, part }]) => form === 'one' && !part && isSame(other, kind),
  );
  if (!isOwnKind && read.length === 0) return controller;
  const seen = <T extends StableFacts>(facts: T): T => {
    const found = () => read.map(([name]) => [name, withSpec(facts.reads[name], withDefaults)]);
    return withGetters(facts, {
      ...(isOwnKind && { resource: () => withSpec(facts.resource, withDefaults) }),
      ...(read.length > 0 && { reads: () => ({ ...facts.reads, ...Object.fromEntries(found()) }) }),
    } as Getters<T>);
  };
  const polls = Object.entries(controller.polls).map(
    ([name, poll]) => [name, { ...poll, request: (facts: StableFacts) => poll.request(seen(facts)) }] as const,
  );
  return Object.freeze<Controller>({
    ...controller,
    polls: Object.fromEntries(polls),
    desire: (scope, facts: Facts) => controller.desire(scope, seen(facts)),
    assess: (outcome: Outcome) => controller.assess(seen(outcome)),
  });
}

function withWorkloads(controller: Controller, secrets: readonly string[]): Controller {
  const desire: Controller['desire'] = (scope, facts) => {
    controller.desire(scope, facts);
    addPullSecrets(scope, secrets);
  };
  return Object.freeze({ ...controller, desire });
}

function isSame(one: Kind, other: Kind): boolean {
  return one.group === other.group && one.kind === other.kind;
}

function withSpec<T>(resource: T, withDefaults: WithDefaults): T {
  if (resource === undefined) return resource;
  const stated = resource as { readonly spec: object };
  return withGetters(stated, { spec: () => withDefaults(stated.spec) }) as T;
}

type Getters<T> = { readonly [N in keyof T]?: () => T[N] };

/**
 * The same object with other getters for some properties. A copy of the values would read every fact, and the result
 * would count as depending on all of them, the time included.
 */
function withGetters<T extends object>(object: T, getters: Getters<T>): T {
  const others = Object.entries<(() => unknown) | undefined>(getters).map(([name, get]) => [
    name,
    { get, enumerable: true },
  ]);
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(object), ...Object.fromEntries(others) },
  ) as T;
}
