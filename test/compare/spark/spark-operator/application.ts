import type { LiveObject, ObjectKind } from '../../../../operator/index.js';
import { cores, memory, program, retries, sparkImage } from '../spark-runner.js';
import { driverAccount } from './objects.js';

/** The parts of a SparkApplication's status that are compared. */
interface ApplicationStatus {
  readonly applicationState?: { readonly state?: string; readonly errorMessage?: string };
  readonly executionAttempts?: number;
  readonly submissionAttempts?: number;
}

export const sparkApplicationKind: ObjectKind = {
  group: 'sparkoperator.k8s.io',
  version: 'v1beta2',
  kind: 'SparkApplication',
  plural: 'sparkapplications',
  namespaced: true,
};

export function statusOf(job: LiveObject): ApplicationStatus {
  return (job as { readonly status?: ApplicationStatus }).status ?? {};
}

/** State, attempts and what the operator says of them. */
export function toldOf(job: LiveObject): string {
  const { applicationState = {}, executionAttempts = 0, submissionAttempts = 0 } = statusOf(job);
  const { state, errorMessage } = applicationState;
  const message = errorMessage ? `, "${errorMessage.split('\n')[0]?.slice(0, 120)}"` : '';
  return `${state || 'no state'}, ${executionAttempts} executions, ${submissionAttempts} submissions${message}`;
}

/** All fields that a webhook would default are set, because the webhook is not installed. */
export function sparkApplication(namespace: string, name: string, tasks: number): LiveObject {
  const role = {
    ...{ cores: 1, coreRequest: cores, coreLimit: '1' },
    ...{ memory: `${memory.heap}m`, memoryOverhead: `${memory.overhead}m` },
  };
  const spec = {
    ...{ type: 'Python', mode: 'cluster', sparkVersion: '3.5.9', pythonVersion: '3' },
    ...{ image: sparkImage(), imagePullPolicy: 'IfNotPresent' },
    ...{ mainApplicationFile: program, arguments: [String(tasks)] },
    driver: { ...role, serviceAccount: driverAccount },
    executor: { ...role, instances: 1 },
    restartPolicy: {
      type: 'OnFailure',
      ...{ onFailureRetries: retries.count, onFailureRetryInterval: retries.seconds },
      ...{ onSubmissionFailureRetries: retries.count, onSubmissionFailureRetryInterval: retries.seconds },
    },
  };
  const metadata = { namespace, name };
  return { apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata, spec } as never;
}
