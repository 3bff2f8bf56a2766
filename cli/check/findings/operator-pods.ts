import { podFailureIn } from '../../../operator/pods/pod-failure.js';
import type { LivePod } from '../../../operator/runtime/kubernetes/kinds.js';
import { keyOf } from '../../../operator/runtime/kubernetes/object.js';
import { imageVersion } from '../../../src/workload/identity.js';
import { counted, type Finding, findingsOf } from './finding.js';
import type { OperatorDeployment, Place } from './installed-operator.js';
import type { Reading } from './reading.js';

/** What is known of the operator's Deployment. */
export interface OperatorView {
  readonly place: Place;
  readonly deployment: Reading<OperatorDeployment | undefined>;
  readonly pods: Reading<readonly LivePod[]>;
  readonly image: string | undefined;
  /** Names of controllers that neither this package nor a given module has. */
  readonly foreign: readonly string[];
  /** The version of this package. */
  readonly version: string;
}

const { ok, problem, unknown } = findingsOf('operator');

/** Whether the operator runs, in the version of this package, and why its Pods do not start. */
export function operatorFindings(view: OperatorView): readonly Finding[] {
  const { deployment, place } = view;
  const title = `Deployment ${keyOf(place)}`;
  if ('missing' in deployment) return [unknown(title, deployment.missing)];
  if (deployment.value === undefined) return [notInstalled(title)];
  return [
    ...versionFindings(view),
    ...replicaFindings(title, deployment.value),
    ...podFindings(view),
    ...foreignFindings(view),
  ];
}

function notInstalled(title: string): Finding {
  const action = 'Install the operator (docs/installing.md). If it has another name, set --namespace and --name';
  return problem(`${title} does not exist`, action);
}

/** The image of this package is named `operator`. An image with another name has versions of its own. */
function versionFindings({ image = '', version }: OperatorView): readonly Finding[] {
  const running = imageVersion(image);
  const isOurs = /(^|\/)operator:[^/]+$/.test(image.split('@')[0] ?? '');
  if (!isOurs || running === undefined || running === version) return [];
  const action = `Run this command in version ${running}, or install the operator in version ${version}`;
  return [problem(`The operator runs image ${image}, and this command has version ${version}`, action)];
}

function replicaFindings(title: string, { metadata, spec, status = {} }: OperatorDeployment): readonly Finding[] {
  const { replicas: wanted = 1 } = spec;
  const { availableReplicas: available = 0, observedGeneration } = status;
  if (wanted === 0)
    return [
      problem(
        `${title} is scaled to 0, so that nothing is reconciled`,
        `Run kubectl --namespace ${metadata.namespace} scale deployment ${metadata.name} --replicas=2`,
      ),
    ];
  if (observedGeneration !== metadata.generation)
    return [
      problem(
        `${title} has a spec that no Deployment controller has observed`,
        'Check that the kube-controller-manager runs',
      ),
    ];
  if (available >= wanted) return [ok(`${title}: ${counted(available, 'replica')} available`)];
  const action = `Run kubectl --namespace ${metadata.namespace} describe deployment ${metadata.name}`;
  const refused = status.conditions?.find(({ type, status: is }) => type === 'ReplicaFailure' && is === 'True');
  const why = refused?.message ? `: ${refused.message}` : '';
  return [problem(`${title}: ${available} of ${counted(wanted, 'replica')} available${why}`, action)];
}

function podFindings({ pods, place, image }: OperatorView): readonly Finding[] {
  if ('missing' in pods) return [unknown('The Pods of the operator', pods.missing)];
  // A Pod that is being deleted makes room for another one.
  const staying = pods.value.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  return staying.flatMap((pod) => failureFindings(pod, { place, image }));
}

function failureFindings(pod: LivePod, { place, image }: Pick<OperatorView, 'place' | 'image'>): readonly Finding[] {
  const failure = podFailureIn(pod);
  const title = `Pod ${keyOf(pod.metadata)}`;
  const logs = `kubectl --namespace ${place.namespace} logs ${pod.metadata.name} --previous`;
  switch (failure?.cause) {
    case 'Unschedulable':
      return [
        problem(
          `${title}: no node can run it: ${failure.message}`,
          'Add a node, or change the requests, nodeSelector or tolerations of OperatorInstall',
        ),
      ];
    case 'Image':
      return [
        problem(
          `${title}: the image ${failure.image || image} cannot be pulled: ${failure.message || 'no message'}`,
          'Push the image, or set imageRegistry and imagePullSecrets of OperatorInstall (docs/operator/images.md)',
        ),
      ];
    case 'Exited': {
      const { exitCode, reason = 'Error', message = '' } = failure.termination;
      const text = message.trim() === '' ? '' : `: ${message.trim()}`;
      return [problem(`${title}: exited with code ${exitCode} (${reason})${text}`, `Run ${logs}${advice(reason)}`)];
    }
    case 'Waiting':
      return [
        problem(
          `${title}: ${failure.reason}: ${failure.message}`,
          `Run kubectl --namespace ${place.namespace} describe pod ${pod.metadata.name}`,
        ),
      ];
    case undefined:
      return [];
  }
}

const advice = (reason: string) => (reason === 'OOMKilled' ? ', and raise the memory limit in resources' : '');

function foreignFindings({ foreign }: OperatorView): readonly Finding[] {
  if (foreign.length === 0) return [];
  const action = 'Give the module that exports these controllers with --module';
  return [problem(`The operator runs controllers that this command does not know: ${foreign.join(', ')}`, action)];
}
