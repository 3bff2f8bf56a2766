import { type PodOptions, withPodDefaults } from '../images/pod-defaults.js';
import type { OperatorPlace } from '../options/controller-options.js';
import type { DeclaredOption } from '../options/option.js';
import type { Controller } from '../runtime/index.js';
import { etcdPods } from './etcd/options.js';
import { controllers as all, systems } from './index.js';

/** Pods of kinds that only other operators run, which this one does not. */
export const ownedPods = [etcdPods] as const;

type One = (typeof systems)[number];
type Part = One['options'][number];
type Pods = One['pods'][number] | (typeof ownedPods)[number];

/** All members of a union at once. */
type Together<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer A) => void ? A : never;

type Declared = Together<Part['declared']>;

/** The options that systems declare. */
export type SystemOptions = {
  readonly [N in keyof Declared]: Declared[N] extends DeclaredOption<infer T> ? T : never;
};

/** The options that the systems need: their own, and some of the process. */
export type NeededOptions = Together<Parameters<Part['configured']>[1]> &
  PodOptions<Pods extends { readonly image?: { readonly option?: infer O extends string } } ? O : never>;

const parts: readonly Part[] = systems.flatMap(({ options }): readonly Part[] => options);

/** The declarations of all options of systems. @throws {Error} if two systems declare the same option */
export const systemOptions: Declared = together(parts.map(({ declared }) => declared)) as Declared;

/**
 * The same controllers, as the options of the operator ask for. The list can have controllers of other kinds, which stay as
 * they are, except that their workloads get the pull secrets too.
 *
 * @param controllers @default - every controller of this package
 * @example await runProcess((config, place) => configuredControllers(config, place, [etcdCluster, website]));
 */
export function configuredControllers(
  options: NeededOptions,
  place: OperatorPlace,
  controllers: readonly Controller[] = all,
): readonly Controller[] {
  const configured = parts.reduce((those, part) => part.configured(those, options, place), controllers);
  const pods: readonly Pods[] = [...systems.flatMap((one): readonly Pods[] => one.pods), ...ownedPods];
  return withPodDefaults(pods, options, configured);
}

function together(declared: readonly object[]): object {
  const entries = declared.flatMap((one) => Object.entries(one));
  const names = entries.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new Error(`systems declare the option ${twice} twice: rename one of them`);
  return Object.fromEntries(entries);
}
