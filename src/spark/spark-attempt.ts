import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { sparkJobSpec, withDefaults } from '../../crds/index.js';
import type { SparkJobSpec, SparkJobSpecInput } from '../../imports/index.js';
import { fingerprint } from '../manifest/fingerprint.js';
import { KubeObject } from '../manifest/kube-object.js';
import type { Manifest } from '../manifest/plain.js';
import { rendered } from '../validation/rendered.js';
import { metadataOf } from '../workload/identity.js';
import { sparkNameProblem, sparkProblems } from './checks.js';
import { type SparkAttempt, sparkFiles, sparkProperties } from './config/properties.js';
import { type SparkJobRef, sparkAttemptName, sparkIdentity } from './naming/identity.js';
import { driverPod } from './objects/driver.js';
import { executorTemplate } from './objects/executor.js';

/** Props of a {@link SparkAttemptObjects}. */
export interface SparkAttemptObjectsProps extends SparkJobRef, Omit<SparkAttempt, 'name' | 'namespace' | 'spec'> {
  readonly spec: SparkJobSpecInput;
}

/** The objects of one attempt of a SparkJob: the Pod with its driver, and the ConfigMap that the driver reads. Create each once. */
export class SparkAttemptObjects extends Construct {
  readonly config: ApiObject;
  readonly driver: ApiObject;

  constructor(scope: Construct, id: string, { spec: input, ...props }: SparkAttemptObjectsProps) {
    super(scope, id);
    const spec = withDefaults(sparkJobSpec, input);
    const problems = () => [...sparkNameProblem(props.name), ...sparkProblems(spec)];
    this.node.addValidation({ validate: problems });
    const identity = sparkIdentity(this, props);
    const attempt = { ...props, spec, namespace: identity.namespace };
    const [config, pod] = rendered(this, problems, () => [configOf(attempt, identity), driverPod(attempt)]);
    this.config = new KubeObject(this, 'config', config as Manifest);
    this.driver = new KubeObject(this, 'driver', pod as Manifest);
  }
}

function configOf(attempt: SparkAttempt, identity: ReturnType<typeof sparkIdentity>) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: metadataOf(identity, sparkAttemptName(attempt.name, attempt.ref)),
    immutable: true,
    data: {
      [sparkFiles.properties]: sparkProperties(attempt),
      // JSON is YAML.
      [sparkFiles.executor]: `${JSON.stringify(executorTemplate(attempt), null, 2)}\n`,
    },
  };
}

/** A hash of the fields of a spec that an attempt depends on. An edit of another field does not stop the driver. */
export function sparkRevision(spec: SparkJobSpec): string {
  const { version, image, main, mainClass, args, driver, executors, config, dependencies } = spec;
  return fingerprint([version, image, main, mainClass, args, driver, executors, config, dependencies]);
}
