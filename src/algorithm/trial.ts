import { type ApiObject, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import { algorithmSpec, withDefaults } from '../../crds/index.js';
import type { AlgorithmSpec, AlgorithmSpecInput } from '../../imports/index.js';
import { KubeObject } from '../manifest/kube-object.js';
import { nameProblems } from '../manifest/name-problems.js';
import { suffixedName } from '../manifest/names.js';
import type { Manifest } from '../manifest/plain.js';
import { isInOperator } from '../validation/operator-scope.js';
import { rendered } from '../validation/rendered.js';
import { disruptionBudget } from '../workload/disruption-budget.js';
import { autoscaler } from './autoscaler.js';
import { type Blueprint, blueprintOf, trialBlueprint } from './blueprint.js';
import { problemsOf } from './checks.js';
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
    const problems = () => problemsIn(this, { name, stable: spec, trial });
    this.node.addValidation({ validate: problems });
    const ofSpec = <T>(render: () => T) => rendered(this, problems, render);
    const stable = blueprintOf(name, namespace, spec);
    const variants = ofSpec(() => variantsOf(name, spec));
    const { host } = spec;

    const add: Add = (objectId, manifest) => new KubeObject(this, objectId, ofSpec(manifest));
    this.stableService = add('stable-service', () => podsService(stable, suffixedName(name, 'stable')));
    this.route = add('route', () => route(stable, { owner: name, gateway, host, weight: trial?.weight, variants }));
    if (!trial) {
      this.variantServices = [];
      return;
    }
    const blueprint = ofSpec(() => trialBlueprint(name, namespace, sized(trial)));
    this.trialService = add('trial-service', () => podsService(blueprint, blueprint.name));
    this.variantServices = variants.map(({ name: variant, service }) =>
      add(`variant-${variant}`, () => podsService(blueprint, service)),
    );
    this.configMap = add('config-map', () => configMap(blueprint));
    this.deployment = add('deployment', () => deployment(blueprint));
    this.disruptionBudget = add('disruption-budget', () => disruptionBudget(blueprint));
    this.autoscaler = scaled(blueprint, add);
  }
}

type Add = (id: string, manifest: () => Manifest) => ApiObject;

function scaled(blueprint: Blueprint, add: Add): ApiObject | undefined {
  const { scaling } = blueprint.spec;
  return scaling && add('autoscaler', () => autoscaler(blueprint, scaling));
}

/** The problems of the props. The operator renders only versions that it accepted before. */
function problemsIn(
  construct: Construct,
  {
    name,
    stable,
    trial,
  }: { readonly name: string; readonly stable: AlgorithmSpec; readonly trial: TrialVersion | undefined },
): string[] {
  if (isInOperator(construct)) return [];
  const ofStable = problemsOf(stable).map((problem) => `stable.${problem}`);
  return [...nameProblems(construct, name), ...ofStable, ...(trial ? problemsOfTrial(trial) : [])];
}

function problemsOfTrial({ spec, replicas, weight }: TrialVersion): readonly string[] {
  const problems = problemsOf(withDefaults(algorithmSpec, spec)).map((problem) => `trial.spec.${problem}`);
  if (!Number.isInteger(replicas) || replicas < 0) {
    problems.push(`trial.replicas: Invalid value: ${JSON.stringify(replicas)}: must be a whole number of 0 or more`);
  }
  if (!Number.isInteger(weight) || weight < 0 || weight > 100) {
    problems.push(`trial.weight: Invalid value: ${JSON.stringify(weight)}: must be a whole number from 0 to 100`);
  }
  return problems;
}

/** The spec of the version on trial with its number of replicas. */
function sized({ spec, replicas }: TrialVersion): AlgorithmSpec {
  const { scaling, ...rest } = withDefaults(algorithmSpec, spec);
  if (!scaling) return { ...rest, replicas };
  return { ...rest, replicas, scaling: { ...scaling, minReplicas: Math.min(replicas, scaling.maxReplicas) } };
}
