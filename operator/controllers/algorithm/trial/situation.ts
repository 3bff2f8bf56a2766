import type { AlgorithmResource } from '../../../../imports/index.js';
import { ControllerRevision, Deployment } from '../../../runtime/index.js';
import { hostTaken } from '../hosts/host-claims.js';
import { type KeptVersion, type Versions, versionsIn, wantedOf } from '../versions/versions.js';
import { route } from './declarations.js';
import { recordOf, type TrialRecord } from './resource/record.js';
import { type Traffic, trafficOf } from './traffic.js';
import { type Side, type StableView, sideOf } from './view.js';

/** The versions of an Algorithm at one time. */
export interface Situation {
  readonly resource: AlgorithmResource;
  readonly name: string;
  /** The version in the spec. */
  readonly wanted: KeptVersion;
  readonly versions: Versions;
  readonly isStable: boolean;
  readonly traffic: Traffic;
  /** The host that the route answers for beside the names of the Service; undefined if another Algorithm has it. */
  readonly host: string | undefined;
  /** The trial in the status, even if it is of another version. */
  readonly record: TrialRecord | undefined;
  readonly main: Side | undefined;
  readonly trial: Side | undefined;
}

export function situationOf({ resource, owned, siblings, isServed, reads }: StableView): Situation {
  const { name } = resource.metadata;
  const versions = versionsIn(owned.of(ControllerRevision), name);
  const bare = wantedOf(resource);
  const wanted = versions.all.find((kept) => kept.name === bare.name) ?? bare;
  return {
    resource,
    name,
    wanted,
    versions,
    isStable: versions.stable?.name === wanted.name,
    traffic: trafficOf({ resource, isServed, route: owned.one(route), gatewayClass: reads.gatewayClass }),
    host: hostTaken(resource, reads) === undefined ? resource.spec.host : undefined,
    record: recordOf(resource),
    // Read only if something depends on it: each change of the status of a Deployment would cause a reconcile.
    get main() {
      return sideOf(siblings.one(Deployment));
    },
    trial: sideOf(owned.one(Deployment)),
  };
}

/** Why a version gets no trial; undefined if it gets one. */
export function untriedBecause(situation: Situation): string | undefined {
  const { resource, traffic } = situation;
  if (resource.spec.lifecycle?.canaryWeight === 0) return 'canaryWeight is 0';
  if (traffic.unsplit === 'NoGatewayApi') return 'the cluster does not serve the Gateway API';
  if (traffic.unsplit === 'NoGateway') return 'there is no gateway';
  const { main } = situation;
  return main && main.available > 0 ? undefined : 'no Pod of the stable version is available for comparison';
}
