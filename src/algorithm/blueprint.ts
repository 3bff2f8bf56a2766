import type { AlgorithmSpec } from '../../imports/index.js';
import { childName, suffixedName } from '../names.js';
import type { Identity } from '../workload/identity.js';

/** What the objects of one version of an Algorithm are drawn from. All have one name: there is one of each kind. */
export interface Blueprint extends Identity {
  /** With its defaults filled in. */
  readonly spec: AlgorithmSpec;
}

/** The blueprint of an Algorithm of any name. */
export function blueprintOf(name: string, namespace: string | undefined, spec: AlgorithmSpec): Blueprint {
  return { name: childName(name), namespace, labels: podLabels(name), spec };
}

/** The blueprint of the version that is on trial: beside the stable one, and selected by nothing of it. */
export function trialBlueprint(name: string, namespace: string | undefined, spec: AlgorithmSpec): Blueprint {
  return { name: suffixedName(name, 'trial'), namespace, labels: trialLabels(name), spec };
}

/**
 * The labels of the pods of an Algorithm's version on trial.
 * @param name the Algorithm's
 */
export function trialLabels(name: string): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': 'algorithm', 'app.kubernetes.io/instance': suffixedName(name, 'trial') };
}

/**
 * The labels of an Algorithm's pods, which select them and no others in the namespace: not those of a version on trial.
 * @param name the Algorithm's
 */
export function podLabels(name: string): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': 'algorithm', 'app.kubernetes.io/instance': childName(name) };
}
