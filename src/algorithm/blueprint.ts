import type { AlgorithmSpec } from '../../imports/index.js';
import { childName } from '../names.js';
import type { Identity } from '../workload/identity.js';

/** What each of an Algorithm's objects is drawn from. All have one name: there is one of each kind. */
export interface Blueprint extends Identity {
  /** With its defaults filled in. */
  readonly spec: AlgorithmSpec;
}

/** The blueprint of an Algorithm of any name. */
export function blueprintOf(name: string, namespace: string | undefined, spec: AlgorithmSpec): Blueprint {
  return { name: childName(name), namespace, labels: podLabels(name), spec };
}

/**
 * The labels of an Algorithm's pods, which select them and no others in the namespace.
 * @param name the Algorithm's
 */
export function podLabels(name: string): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': 'algorithm', 'app.kubernetes.io/instance': childName(name) };
}
