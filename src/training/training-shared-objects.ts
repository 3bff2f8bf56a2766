import { Construct } from 'constructs';
import { trainingJobSpec, withDefaults } from '../../crds/index.js';
import type { TrainingJobSpecInput } from '../../imports/index.js';
import { KubeObject } from '../manifest/kube-object.js';
import type { Manifest } from '../manifest/plain.js';
import { rendered } from '../validation/rendered.js';
import { metadataOf } from '../workload/identity.js';
import { trainingNameProblem, trainingProblems } from './checks.js';
import { trainingIdentity } from './naming/identity.js';
import { coordinatorDeployment } from './objects/coordinator.js';
import { coordinatorService, trainingNetworkPolicy, workersBudget, workersService } from './objects/network.js';

/** Props of {@link TrainingSharedObjects}: its spec, name and namespace. */
export interface TrainingSharedObjectsProps extends TrainingJobSpecInput {
  /** The name of the TrainingJob. @default - the id of the construct */
  readonly name?: string;
  /** The namespace of the TrainingJob. One of the two must be set. @default - the namespace of the chart */
  readonly namespace?: string;
}

/**
 * The objects that all workers of a TrainingJob share, without the workers, which need the operator: it renders a
 * `TrainingWorkerPod` for each. An app that wants a job renders the resource with `KubeTrainingJob`.
 *
 * @example new TrainingSharedObjects(scope, 'ranking', { image: 'ranking-train:7', command: ['python3', 'train.py'] });
 */
export class TrainingSharedObjects extends Construct {
  constructor(scope: Construct, id: string, { name = id, namespace, ...input }: TrainingSharedObjectsProps) {
    super(scope, id);
    const spec = withDefaults(trainingJobSpec, input);
    const problems = () => [...trainingNameProblem(name), ...trainingProblems(spec)];
    this.node.addValidation({ validate: problems });

    const identity = trainingIdentity(this, { name, namespace });
    const account = { ...serviceAccount, metadata: metadataOf(identity) } as Manifest;
    const coordinator = () => [coordinatorService(identity), coordinatorDeployment(identity, spec) as Manifest];
    const manifests = rendered(this, problems, () => [
      account,
      workersService(identity),
      trainingNetworkPolicy(identity),
      ...workersBudget(identity, spec),
      // Without the module, nothing reports to a coordinator.
      ...(spec.recovery === 'InPlace' ? coordinator() : []),
    ]);
    for (const manifest of manifests)
      new KubeObject(this, `${manifest.kind.toLowerCase()}-${manifest.metadata.name}`, manifest);
  }
}

/** Workers need no rights, and get no token. */
const serviceAccount = { apiVersion: 'v1', kind: 'ServiceAccount', automountServiceAccountToken: false };
