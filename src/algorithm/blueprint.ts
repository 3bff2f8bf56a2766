import type { AlgorithmSpec } from '../../imports/index.js';
import { childName, suffixedName } from '../manifest/names.js';
import type { Identity } from '../workload/identity.js';

/**
 * The input for the objects of one version of an Algorithm. There is one object of each kind, and all have the same
 * name.
 */
export interface Blueprint extends Identity {
  /** The spec with defaults. */
  readonly spec: AlgorithmSpec;
}

/** The blueprint of the stable version of an Algorithm. */
export function blueprintOf(name: string, namespace: string | undefined, spec: AlgorithmSpec): Blueprint {
  return { name: childName(name), namespace, labels: podLabels(name), spec };
}

/** The blueprint of the version on trial. No selector of the stable version matches its Pods. */
export function trialBlueprint(name: string, namespace: string | undefined, spec: AlgorithmSpec): Blueprint {
  return { name: suffixedName(name, 'trial'), namespace, labels: trialLabels(name), spec };
}

/**
 * The labels of the Pods of the version on trial.
 * @param name name of the Algorithm
 */
export function trialLabels(name: string): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': 'algorithm', 'app.kubernetes.io/instance': suffixedName(name, 'trial') };
}

/**
 * The labels of the Pods of an Algorithm. In the namespace they select only these Pods, without those of a version on
 * trial.
 * @param name name of the Algorithm
 */
export function podLabels(name: string): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': 'algorithm', 'app.kubernetes.io/instance': childName(name) };
}
