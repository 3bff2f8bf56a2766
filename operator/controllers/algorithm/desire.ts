import type { Construct } from 'constructs';
import type { AlgorithmResource } from '../../../imports/index.js';
import {
  Algorithm,
  type AlgorithmProps,
  gatewayName,
  isGatewayOf,
  type ProxyWorkload,
  withVersion,
} from '../../../src/index.js';
import { ControllerRevision, conditionOf } from '../../runtime/index.js';
import type { conditions as trialConditions } from './trial/conditions.js';
import { recordOf } from './trial/resource/record.js';
import { revisionAnnotation, versionsIn, wantedOf } from './versions/versions.js';
import type { StableView } from './view.js';

/** Renders the objects of an Algorithm from the version that was promoted last. */
export function desire(
  scope: Construct,
  { resource, siblings }: StableView,
  proxies: ProxyWorkload = 'Deployment',
): void {
  const { metadata, spec } = resource;
  const { name } = metadata;
  if (!spec.lifecycle) {
    new Algorithm(scope, 'algorithm', { ...spec, ...scaled(resource), name });
    return;
  }
  const { stable = wantedOf(resource) } = versionsIn(siblings.of(ControllerRevision), name);
  const algorithm = new Algorithm(scope, 'algorithm', {
    ...withVersion(spec, stable.version),
    ...managed(resource, proxies),
    name,
  });
  algorithm.deployment.metadata.addAnnotation(revisionAnnotation, stable.name);
}

/** What follows from the measured requests: their route, and the minimum number of replicas. */
function managed(resource: AlgorithmResource, proxies: ProxyWorkload): Pick<AlgorithmProps, 'front' | 'scaling'> {
  const { metadata, spec } = resource;
  const { gateway = { name: gatewayName } } = spec;
  const routed = conditionOf<typeof trialConditions>(resource, 'Routed');
  const isFronted = routed?.status === 'True' || routed?.reason === 'SwitchingToGateway';
  return {
    ...(isFronted &&
      isGatewayOf(metadata.namespace, gateway) && {
        front: { gateway: gateway.name, onEachNode: proxies === 'DaemonSet' },
      }),
    ...scaled(resource),
  };
}

/** The limits of the autoscaler, with the minimum that the latency or a trial requires. */
function scaled(resource: AlgorithmResource): Pick<AlgorithmProps, 'scaling'> {
  const { scaling, lifecycle } = resource.spec;
  if (!scaling) return {};
  const isMeasured = lifecycle && scaling.targetLatencyMs !== undefined;
  const forLatency = (isMeasured && resource.status?.scaling?.minReplicas) || 1;
  const forTrial = recordOf(resource)?.capacity?.stable ?? 1;
  const minReplicas = Math.max(scaling.minReplicas, forLatency, forTrial);
  return { scaling: { ...scaling, minReplicas: Math.min(scaling.maxReplicas, minReplicas) } };
}
