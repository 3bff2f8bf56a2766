import { type AlgorithmResource, algorithmKind } from '../../imports/index.js';
import { trialAnnotation } from '../../operator/controllers/algorithm/trial/resource/command.js';
import { shortName } from '../../operator/controllers/algorithm/versions/versions.js';
import { isApiError } from '../../operator/runtime/kubernetes/errors.js';
import { apiVersionOf } from '../../operator/runtime/kubernetes/kinds.js';
import { keyOf, type Manifest, type ObjectName } from '../../operator/runtime/kubernetes/object.js';
import type { Cluster } from '../../operator/runtime/ports/cluster.js';
import { resourceNamed } from '../cluster/named-resource.js';
import { endingOf, isPromoted } from './outcome.js';

/** A command of a user to a lifecycle. */
export type Verb = 'promote' | 'abort' | 'pause' | 'resume';

/** Maximum number of writes if the resource changes in between. It changes with each step of a trial. */
const tries = 5;

/**
 * The live Algorithm.
 * @throws {Error} if it does not exist
 */
export async function algorithmNamed(cluster: Cluster, name: ObjectName): Promise<AlgorithmResource> {
  const resource = await resourceNamed(algorithmKind, name, cluster);
  if (resource) return resource as unknown as AlgorithmResource;
  throw new Error(`Algorithm ${keyOf(name)} not found; check the name and --namespace`);
}

/**
 * Writes a command into the resource, which the operator carries out. The write fails if the resource has changed, so a
 * trial that ends meanwhile, or another trial, never gets the command.
 *
 * @returns the command as a sentence for users
 * @throws {Error} if the command does not apply to the resource
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
  /** The content to apply; undefined if the resource has it already. */
  readonly content?: { readonly metadata?: object; readonly spec?: object };
  /** The field manager, one for each of the two fields, because an apply removes the fields that it omits. */
  readonly manager: string;
  readonly told: string;
}

/**
 * The content and the sentence of a command.
 * @param first the trial that was running when the user gave the command, if any
 * @throws {Error} if the command does not apply to the resource
 */
export function orderFor(verb: Verb, resource: AlgorithmResource, first?: string): Order {
  const { metadata, spec, status } = resource;
  const title = `Algorithm ${keyOf(metadata)}`;
  if (!spec.lifecycle) throw new Error(`${title} has no spec.lifecycle, so it has no trials; add spec.lifecycle`);
  if (verb === 'pause' || verb === 'resume') {
    const paused = verb === 'pause';
    const manager = 'reconstruct-pause';
    if (spec.lifecycle.paused === paused)
      return { manager, told: `${title} ${paused ? 'is already paused' : 'is not paused'}` };
    return { content: { spec: { lifecycle: { paused } } }, manager, told: `${title} ${verb}d` };
  }
  const { trial } = status ?? {};
  if (!trial || endingOf(resource) !== undefined)
    throw new Error(`${title} has no version on trial, so there is nothing to ${verb}`);
  const version = trial.version ?? shortName(trial.image);
  if (first !== undefined && trial.id !== first) {
    throw new Error(`${title} now has the trial ${trial.id} instead of ${first}; check it, then run the command again`);
  }
  const asked = `${verb} ${trial.id}`;
  // A repeated command means one promotion. It must not end the bake, during which a rollback is still possible.
  if (verb === 'promote' && metadata.annotations?.[trialAnnotation] === asked && isPromoted(resource)) {
    const end = 'to end its bake, set spec.lifecycle.trial.bake to 0s';
    throw new Error(`${title}: the promotion of ${version} was already requested and is in progress; ${end}`);
  }
  const content = { metadata: { annotations: { [trialAnnotation]: asked } } };
  const told = `${title}: requested to ${verb} ${version}, trial ${trial.id}`;
  return { content, manager: 'reconstruct-trial', told };
}
