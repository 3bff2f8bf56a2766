import { type ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { algorithmSpec, withDefaults } from '../../crds/index.js';
import type { AlgorithmSpecInput } from '../../imports/index.js';
import type { Front } from '../gateway/front.js';
import { KubeObject } from '../kube-object.js';
import { disruptionBudget } from '../workload/disruption-budget.js';
import { autoscaler } from './autoscaler.js';
import { blueprintOf } from './blueprint.js';
import { problemsOf } from './checks.js';
import { configMap } from './config-map.js';
import { deployment } from './deployment.js';
import { service } from './service.js';

/** What an Algorithm is made from: its spec, and where it is. */
export interface AlgorithmProps extends AlgorithmSpecInput {
  /** The name of the Algorithm, from which its objects' names follow. @default - the construct's id */
  readonly name?: string;
  /** @default - the chart's namespace */
  readonly namespace?: string;
  /** The gateway that its requests go through, which an {@link AlgorithmTrial} splits. @default - they go to its pods */
  readonly front?: Front | undefined;
}

/**
 * The objects that serve a model: the same ones whether `cdk8s synth` writes them or the operator does.
 *
 * `lifecycle`, `sla` and `scaling.targetLatencyMs` have no object of their own: acting upon them takes the operator.
 *
 * @example new Algorithm(chart, 'recommendation', { image: 'registry.example.com/recommendation:2.1.4', replicas: 3 });
 */
export class Algorithm extends Construct {
  readonly configMap: ApiObject;
  readonly service: ApiObject;
  readonly deployment: ApiObject;
  readonly disruptionBudget: ApiObject;
  /** Only with `scaling`. */
  readonly autoscaler: ApiObject | undefined;

  constructor(scope: Construct, id: string, { name = id, namespace, front, ...input }: AlgorithmProps) {
    super(scope, id);
    const spec = withDefaults(algorithmSpec, input);
    this.node.addValidation({ validate: () => [...problemsOf(spec)] });

    const blueprint = blueprintOf(name, namespace ?? Chart.of(this).namespace, spec);
    this.configMap = new KubeObject(this, 'config-map', configMap(blueprint));
    this.service = new KubeObject(this, 'service', service(blueprint, front));
    this.deployment = new KubeObject(this, 'deployment', deployment(blueprint));
    this.disruptionBudget = new KubeObject(this, 'disruption-budget', disruptionBudget(blueprint));
    this.autoscaler = spec.scaling && new KubeObject(this, 'autoscaler', autoscaler(blueprint, spec.scaling));
  }
}
