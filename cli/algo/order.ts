import { type AlgorithmResource, algorithmKind } from '../../imports/index.js';
import { trialAnnotation } from '../../operator/controllers/algorithm/trial/command.js';
import { shortName } from '../../operator/controllers/algorithm/trial/status/fields.js';
import { isApiError } from '../../operator/runtime/kubernetes/errors.js';
import { apiVersionOf } from '../../operator/runtime/kubernetes/kinds.js';
import { keyOf, type Manifest, type ObjectName } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { resourceNamed } from '../cluster/named-resource.js';
import { endingOf, isPromoted } from './outcome.js';

/** What a person may ask of a lifecycle. */
export type Verb = 'promote' | 'abort' | 'pause' | 'resume';

/** How often an order is written anew when the resource changes in between: it does with each look at a trial. */
const tries = 5;

/**
 * An Algorithm, as it is.
 * @throws {Error} when there is none
 */
export async function algorithmNamed(cluster: Cluster, name: ObjectName): Promise<AlgorithmResource> {
  const resource = await resourceNamed(algorithmKind, name, cluster);
  if (resource) return resource as unknown as AlgorithmResource;
  throw new Error(`there is no Algorithm ${keyOf(name)}: name one that is there, and its namespace by --namespace`);
}

/**
 * Writes an order into the resource; the operator carries it out. It is written over the very state that was looked at,
 * so a trial that ends meanwhile, or another one, never gets it.
 *
 * @returns what was ordered, for people
 * @throws {Error} when there is nothing that it could be about
 */
export async function order(cluster: Cluster, verb: Verb, name: ObjectName): Promise<string> {
  let first: string | undefined;
  for (let left = tries; ; left--) {
    const resource = await algorithmNamed(cluster, name);
    const { content, manager, told } = orderFor(verb, resource, first);
    first ??= resource.status?.trial?.id;
    if (!content) return told;
    const { uid = '', resourceVersion } = resource.metadata;
    const metadata = { ...name, ...content.metadata, uid, resourceVersion };
    const manifest = { apiVersion: apiVersionOf(algorithmKind), kind: algorithmKind.kind, ...content, metadata };
    try {
      await cluster.apply(algorithmKind, manifest as Manifest, { manager });
      return told;
    } catch (error) {
      if (left <= 1 || !isApiError(error, 'Conflict')) throw error;
    }
  }
}

interface Order {
  /** What it states; undefined where it is so already. */
  readonly content?: { readonly metadata?: object; readonly spec?: object };
  /** The field manager, one for each of the two fields: an apply gives up what it no longer states. */
  readonly manager: string;
  readonly told: string;
}

/**
 * What an order writes.
 * @param first the trial that was running when it was given, if one was
 * @throws {Error} when there is nothing that it could be about
 */
export function orderFor(verb: Verb, resource: AlgorithmResource, first?: string): Order {
  const { metadata, spec, status } = resource;
  const title = `Algorithm ${keyOf(metadata)}`;
  if (!spec.lifecycle) throw new Error(`${title} has no lifecycle, so nothing is ever on trial: add spec.lifecycle`);
  if (verb === 'pause' || verb === 'resume') {
    const paused = verb === 'pause';
    const manager = 'reconstruct-pause';
    if (spec.lifecycle.paused === paused)
      return { manager, told: `${title} ${paused ? 'is paused already' : 'is not paused, so it goes on already'}` };
    return { content: { spec: { lifecycle: { paused } } }, manager, told: `${title} ${verb}d` };
  }
  const { trial } = status ?? {};
  if (!trial || endingOf(resource) !== undefined)
    throw new Error(`${title} has no version on trial: there is nothing to ${verb}`);
  const version = trial.version ?? shortName(trial.image);
  if (first !== undefined && trial.id !== first) {
    throw new Error(`${title} has another trial by now, ${trial.id} instead of ${first}: look at it, and ask again`);
  }
  const asked = `${verb} ${trial.id}`;
  // Whoever asks twice means one promotion, and not the end of the bake, in which there is still a way back.
  if (verb === 'promote' && metadata.annotations?.[trialAnnotation] === asked && isPromoted(resource)) {
    const end = 'to end its bake, set spec.lifecycle.trial.bake to 0s';
    throw new Error(`${title}: the promotion of ${version} was asked for already, and is under way; ${end}`);
  }
  const content = { metadata: { annotations: { [trialAnnotation]: asked } } };
  const told = `${title}: asked to ${verb} ${version}, trial ${trial.id}`;
  return { content, manager: 'reconstruct-trial', told };
}
