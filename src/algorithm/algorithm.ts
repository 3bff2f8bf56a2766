import { type ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { algorithmSpec, withDefaults } from '../../crds/index.js';
import type { AlgorithmSpecInput } from '../../imports/index.js';
import type { Front } from '../gateway/front.js';
import { KubeObject } from '../manifest/kube-object.js';
import { nameProblems } from '../manifest/name-problems.js';
import type { Manifest } from '../manifest/plain.js';
import { rendered } from '../validation/rendered.js';
import { disruptionBudget } from '../workload/disruption-budget.js';
import { autoscaler } from './autoscaler.js';
import { type Blueprint, blueprintOf } from './blueprint.js';
import { problemsOf } from './checks.js';
import { configMap } from './config-map.js';
import { deployment } from './deployment.js';
import { service } from './service.js';

/** Props of an {@link Algorithm}: its spec, name and namespace. */
export interface AlgorithmProps extends AlgorithmSpecInput {
  /** The name of the Algorithm, from which the names of its objects derive. @default - the id of the construct */
  readonly name?: string;
  /** The namespace of the Algorithm. @default - the namespace of the chart */
  readonly namespace?: string;
  /**
   * The gateway for its requests, which an {@link AlgorithmTrial} splits.
   * @default - none: requests go directly to the Pods
   */
  readonly front?: Front | undefined;
}

/**
 * The objects that serve a model. `cdk8s synth` and the operator render the same objects.
 *
 * `lifecycle`, `sla` and `scaling.targetLatencyMs` have no object of their own. They need the operator.
 *
 * @example new Algorithm(chart, 'recommendation', { image: 'registry.example.com/recommendation:2.1.4', replicas: 3 });
 */
export class Algorithm extends Construct {
  readonly configMap: ApiObject;
  readonly service: ApiObject;
  readonly deployment: ApiObject;
  readonly disruptionBudget: ApiObject;
  /** Undefined without `scaling`. */
  readonly autoscaler: ApiObject | undefined;

  constructor(scope: Construct, id: string, { name = id, namespace, front, ...input }: AlgorithmProps) {
    super(scope, id);
    const spec = withDefaults(algorithmSpec, input);
    const problems = () => [...nameProblems(this, name), ...problemsOf(spec)];
    this.node.addValidation({ validate: problems });

    const add = (objectId: string, manifest: (blueprint: Blueprint) => Manifest) =>
      new KubeObject(
        this,
        objectId,
        rendered(this, problems, () => manifest(blueprint)),
      );
    const blueprint = blueprintOf(name, namespace ?? Chart.of(this).namespace, spec);
    this.configMap = add('config-map', configMap);
    this.service = add('service', (one) => service(one, front));
    this.deployment = add('deployment', deployment);
    this.disruptionBudget = add('disruption-budget', disruptionBudget);
    const { scaling } = spec;
    this.autoscaler = scaling && add('autoscaler', (one) => autoscaler(one, scaling));
  }
}
