import { KubeSparkJob, type SparkJobResource, sparkJobKind } from 'cdk8s-reconstruct';
import { defineKind, object, type StoredOf, string } from 'cdk8s-reconstruct/crds';
import { type CustomResource, defineController, type ObjectKind, type RuntimeStatus } from 'cdk8s-reconstruct/operator';

const spec = object('Desired state.', {
  image: string('Container image with the program.', { minLength: 1 }),
  day: string('Day of the data, such as `2030-01-01`.', { pattern: '^\\d{4}-\\d{2}-\\d{2}$', maxLength: 10 }),
});

/** The kind, from which its CustomResourceDefinition is generated. */
export const definition = defineKind({
  group: 'example.com',
  kind: 'Report',
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      description: 'Daily report.',
      spec,
      status: object('Observed state.', {}),
      // The day makes the name of a SparkJob longer, which has at most 45 characters.
      rules: [{ rule: 'self.metadata.name.size() <= 25', message: 'must have a name of up to 25 characters' }],
    },
  ],
});

/** A Report with its defaults, as the API server stores it. */
export interface ReportResource extends CustomResource {
  readonly spec: StoredOf<typeof spec>;
  readonly status?: RuntimeStatus;
}

/** Names the kind for the operator's watch. */
export const reportKind: ObjectKind<ReportResource, 'Report'> = {
  ...{ group: definition.group, version: 'v1', kind: 'Report', plural: definition.plural, namespaced: true },
};

/** Runs a SparkJob for each Report. Another day is another job. */
export const report = defineController({
  kind: reportKind,
  owns: [sparkJobKind],
  conditions: {
    Written: {
      Succeeded: ['True', 'The report is written'],
      Running: ['Unknown', 'The SparkJob runs'],
      Failed: ['False', 'The SparkJob has failed', 'Read the condition Running of the SparkJob.'],
    },
  },
  desire: (scope, { resource: { metadata, spec } }) => {
    new KubeSparkJob(scope, 'job', {
      metadata: { name: `${metadata.name}-${spec.day}`, namespace: metadata.namespace },
      spec: { image: spec.image, main: 'local:///app/report.py', args: ['--day', spec.day] },
    });
  },
  assess: ({ owned, resource: { metadata, spec } }) => {
    const name = `${metadata.name}-${spec.day}`;
    const job: SparkJobResource | undefined = owned.of(sparkJobKind).find((one) => one.metadata.name === name);
    const state = job?.status?.state;
    const reason = state === 'Succeeded' || state === 'Failed' ? state : 'Running';
    return { conditions: { Written: { reason } } };
  },
});
