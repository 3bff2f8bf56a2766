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

/** The version on trial, and how much of it there is to be. */
export interface TrialVersion {
  readonly spec: AlgorithmSpecInput;
  /** Pods; with `scaling` those at the least. */
  readonly replicas: number;
  /** Per cent of the requests that it gets; at 0 it gets none, of the variants' neither. */
  readonly weight: number;
}

/** What an Algorithm's trials are made from. */
export interface AlgorithmTrialProps {
  /** The name of the Algorithm. @default - the construct's id */
  readonly name?: string;
  /** @default - the chart's namespace */
  readonly namespace?: string;
  /** The stable version. */
  readonly stable: AlgorithmSpecInput;
  /** @default - none: all requests go to the stable version */
  readonly trial?: TrialVersion | undefined;
  /** Where the requests come in. */
  readonly gateway: GatewayRef;
}

/**
 * What splits an Algorithm's requests between its stable version and the one on trial, and what that runs in. The stable
 * version itself is an `Algorithm`, whose `front` leads its requests here.
 *
 * @example new AlgorithmTrial(chart, 'reco', { stable, trial: { spec, replicas: 1, weight: 20 }, gateway: { name: 'reconstruct-gateway' } });
 */
export class AlgorithmTrial extends Construct {
  readonly route: ApiObject;
  readonly stableService: ApiObject;
  /** Only with a trial, as all that follow. */
  readonly trialService: ApiObject | undefined;
  /** One for each variant. */
  readonly variantServices: readonly ApiObject[];
  readonly configMap: ApiObject | undefined;
  readonly deployment: ApiObject | undefined;
  readonly disruptionBudget: ApiObject | undefined;
  /** Only with `scaling`. */
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

/** The spec of a version on trial, with as many replicas as it is to have. */
function sized({ spec, replicas }: TrialVersion): AlgorithmSpec {
  const { scaling, ...rest } = withDefaults(algorithmSpec, spec);
  if (!scaling) return { ...rest, replicas };
  return { ...rest, replicas, scaling: { ...scaling, minReplicas: Math.min(replicas, scaling.maxReplicas) } };
}
