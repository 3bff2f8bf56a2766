import { type ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { algorithmSpec, withDefaults } from '../../crds/index.js';
import type { AlgorithmSpec, AlgorithmSpecInput } from '../../imports/index.js';
import { KubeObject } from '../kube-object.js';
import { suffixedName } from '../names.js';
import type { Manifest } from '../plain.js';
import { disruptionBudget } from '../workload/disruption-budget.js';
import { autoscaler } from './autoscaler.js';
import { type Blueprint, blueprintOf, trialBlueprint } from './blueprint.js';
import { configMap } from './config-map.js';
import { deployment } from './deployment.js';
import { type GatewayRef, route } from './route.js';
import { podsService } from './service.js';
import { variantsOf } from './variants.js';

/** The version on trial, with its size and weight. */
export interface TrialVersion {
  readonly spec: AlgorithmSpecInput;
  /** The number of Pods. With `scaling`, the minimum number of Pods. */
  readonly replicas: number;
  /** The percentage of requests that it gets. At 0 it gets no requests, not even those of the variants. */
  readonly weight: number;
}

/** Props of an {@link AlgorithmTrial}. */
export interface AlgorithmTrialProps {
  /** The name of the Algorithm. @default - the id of the construct */
  readonly name?: string;
  /** The namespace of the Algorithm. @default - the namespace of the chart */
  readonly namespace?: string;
  /** The stable version. */
  readonly stable: AlgorithmSpecInput;
  /** The version on trial. @default - none: all requests go to the stable version */
  readonly trial?: TrialVersion | undefined;
  /** The Gateway that receives the requests. */
  readonly gateway: GatewayRef;
}

/**
 * The objects that split the requests of an Algorithm between its stable version and the version on trial, and the
 * objects that run the version on trial. The stable version is an `Algorithm` whose `front` sends the requests to the
 * gateway.
 *
 * @example new AlgorithmTrial(chart, 'reco', { stable, trial: { spec, replicas: 1, weight: 20 }, gateway: { name: 'reconstruct-gateway' } });
 */
export class AlgorithmTrial extends Construct {
  readonly route: ApiObject;
  readonly stableService: ApiObject;
  /** Undefined without a trial, like all following fields. */
  readonly trialService: ApiObject | undefined;
  /** One Service for each variant. Empty without a trial. */
  readonly variantServices: readonly ApiObject[];
  readonly configMap: ApiObject | undefined;
  readonly deployment: ApiObject | undefined;
  readonly disruptionBudget: ApiObject | undefined;
  /** Undefined without `scaling`. */
  readonly autoscaler: ApiObject | undefined;

  constructor(scope: Construct, id: string, { name = id, gateway, trial, ...props }: AlgorithmTrialProps) {
    super(scope, id);
    const namespace = props.namespace ?? Chart.of(this).namespace;
    const spec = withDefaults(algorithmSpec, props.stable);
    const stable = blueprintOf(name, namespace, spec);
    const variants = variantsOf(name, spec);
    const { host } = spec;

    const add = (objectId: string, manifest: Manifest) => new KubeObject(this, objectId, manifest);
    this.stableService = add('stable-service', podsService(stable, suffixedName(name, 'stable')));
    this.route = add('route', route(stable, { owner: name, gateway, host, weight: trial?.weight, variants }));
    if (!trial) {
      this.variantServices = [];
      return;
    }
    const blueprint = trialBlueprint(name, namespace, sized(trial));
    this.trialService = add('trial-service', podsService(blueprint, blueprint.name));
    this.variantServices = variants.map(({ name: variant, service }) =>
      add(`variant-${variant}`, podsService(blueprint, service)),
    );
    this.configMap = add('config-map', configMap(blueprint));
    this.deployment = add('deployment', deployment(blueprint));
    this.disruptionBudget = add('disruption-budget', disruptionBudget(blueprint));
    this.autoscaler = scaled(blueprint, add);
  }
}

function scaled(blueprint: Blueprint, add: (id: string, manifest: Manifest) => ApiObject): ApiObject | undefined {
  const { scaling } = blueprint.spec;
  return scaling && add('autoscaler', autoscaler(blueprint, scaling));
}

/** The spec of the version on trial with its number of replicas. */
function sized({ spec, replicas }: TrialVersion): AlgorithmSpec {
  const { scaling, ...rest } = withDefaults(algorithmSpec, spec);
  if (!scaling) return { ...rest, replicas };
  return { ...rest, replicas, scaling: { ...scaling, minReplicas: Math.min(replicas, scaling.maxReplicas) } };
}
