import { App, Chart } from 'cdk8s';
import { trainingJobSpec, withDefaults } from '../../../crds/index.js';
import type { TrainingJobSpec, TrainingJobSpecInput } from '../../../imports/index.js';
import { TrainingSharedObjects, TrainingWorkerPod, type WorkerPod } from '../../../src/index.js';
import { leastTraining } from '../../crds/refused-training.js';

/** An object as it is rendered. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads any field of any kind
export type Rendered = any;

/** A spec with its defaults. */
export function specOf(input: object = {}): TrainingJobSpec {
  return withDefaults(trainingJobSpec, { ...leastTraining, ...input } as TrainingJobSpecInput);
}

/** The objects that all workers of the TrainingJob `ranking` share. */
export function sharedObjects(input: object = {}): readonly Rendered[] {
  const chart = new Chart(new App(), 'chart', { namespace: 'ml' });
  new TrainingSharedObjects(chart, 'ranking', { ...leastTraining, ...input } as TrainingJobSpecInput);
  return chart.toJson();
}

/** The Pod of a worker. */
export function podOf(index: number, input: object = {}, settings: Partial<WorkerPod> = {}): Rendered {
  const chart = new Chart(new App(), 'chart', { namespace: 'ml' });
  const worker = { index, attempt: 0 };
  new TrainingWorkerPod(chart, 'pod', { name: 'ranking', uid: 'job-1', spec: specOf(input), worker, ...settings });
  return chart.toJson()[0];
}

/** The environment of the container of a Pod. */
export function envOf(pod: Rendered): Readonly<Record<string, Rendered>> {
  const { env } = pod.spec.containers[0];
  return Object.fromEntries(env.map(({ name, value, valueFrom }: Rendered) => [name, value ?? valueFrom]));
}
