import type { k8s } from 'cdk8s-plus-27';
import type { ManifestOf, Plain } from '../../manifest/plain.js';
import { trainingSelector } from '../naming/identity.js';
import type { WorkerPod } from './worker-settings.js';

type Pod = { readonly spec: Plain<k8s.PodSpec> } & Pick<ManifestOf<k8s.KubePodProps>, never>;

/** Adds to the Pod of a worker the nodes that it must avoid, and those on which it must or should be. */
export function placed<P extends Pod>(pod: P, { name, spec, avoid = [], domain }: WorkerPod): P {
  const { key, policy } = spec.topology ?? {};
  const near = key !== undefined && policy === 'Preferred' ? preferring(pod, key, name) : pod;
  const pinned = key !== undefined && policy === 'Required' && domain !== undefined ? within(near, key, domain) : near;
  return avoiding(pinned, avoid);
}

/** The value of the label that all nodes of the job have. A gated Pod may get it later. */
function within<P extends Pod>(pod: P, key: string, domain: string): P {
  return { ...pod, spec: { ...pod.spec, nodeSelector: { ...pod.spec.nodeSelector, [key]: domain } } };
}

/** Beside the other workers, and before every other preference. */
function preferring<P extends Pod>(pod: P, topologyKey: string, name: string): P {
  const { affinity } = pod.spec;
  const labelSelector = { matchLabels: trainingSelector(name, 'worker') };
  const podAffinity = {
    ...affinity?.podAffinity,
    preferredDuringSchedulingIgnoredDuringExecution: [
      ...(affinity?.podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []),
      { weight: 100, podAffinityTerm: { labelSelector, topologyKey } },
    ],
  };
  return { ...pod, spec: { ...pod.spec, affinity: { ...affinity, podAffinity } } };
}

/**
 * Each of the terms of a node affinity is enough, so each one gets the requirements. A node is meant by its name, because its
 * label with the host name can have another value. The API server allows one name in each of them.
 */
function avoiding<P extends Pod>(pod: P, avoid: readonly string[]): P {
  if (avoid.length === 0) return pod;
  const { affinity } = pod.spec;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const away = avoid.toSorted().map((node) => ({ key: 'metadata.name', operator: 'NotIn', values: [node] }));
  const terms = required?.nodeSelectorTerms ?? [{}];
  const nodeSelectorTerms = terms.map((term) => ({
    ...term,
    matchFields: [...(term.matchFields ?? []), ...away],
  }));
  const nodeAffinity = {
    ...affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
  };
  return { ...pod, spec: { ...pod.spec, affinity: { ...affinity, nodeAffinity } } };
}
