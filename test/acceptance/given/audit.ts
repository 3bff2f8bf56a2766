import { expect, vi } from 'vitest';
import type { AuditedRequest, ClusterAccess } from '../../../operator/testing/index.js';
import { operatorUser } from './operator.js';

/** What the operator asked of the API server from a moment on. Its lease is left out. */
export class Audit {
  private constructor(
    readonly controlPlane: ClusterAccess,
    readonly since: number,
  ) {}

  static async from(controlPlane: ClusterAccess): Promise<Audit> {
    return new Audit(controlPlane, await controlPlane.auditPosition());
  }

  /** Every request, watches that are still open included. */
  async requests(): Promise<readonly AuditedRequest[]> {
    const requests = await this.controlPlane.requests(this.since);
    return requests.filter(({ user, resource }) => user === operatorUser && resource !== 'leases');
  }

  /** The writes to a resource by anyone but the operator that were accepted. */
  async writesOfOthers(resource: string, namespace: string): Promise<readonly AuditedRequest[]> {
    const requests = await this.controlPlane.requests(this.since);
    const isOthers = (one: AuditedRequest) => one.user !== operatorUser && isWrite(one) && one.code < 400;
    return requests.filter((one) => one.resource === resource && one.namespace === namespace && isOthers(one));
  }

  /** Writes in a namespace, in a line each: `create deployments reco`, `patch algorithms/status reco`. */
  async writes(namespace: string): Promise<readonly string[]> {
    const requests = await this.requests();
    return requests
      .filter((request) => request.namespace === namespace && isWrite(request))
      .map(
        ({ verb, resource, subresource, name }) =>
          `${verb} ${[resource, subresource].filter(Boolean).join('/')} ${name}`,
      );
  }
}

export function isWrite({ verb }: AuditedRequest): boolean {
  return !['get', 'list', 'watch'].includes(verb);
}

/**
 * Resolves when nobody has written in a namespace for so many milliseconds, and returns the audit from then on.
 * What autoscalers say of missing measurements comes for ever, and does not count.
 */
export async function quiet(controlPlane: ClusterAccess, namespace: string, ms = 500): Promise<Audit> {
  let audit = await Audit.from(controlPlane);
  let since = performance.now();
  const settled = async () => {
    const requests = await controlPlane.requests(audit.since);
    if (requests.some((request) => request.namespace === namespace && isWrite(request) && !isComplaint(request))) {
      audit = await Audit.from(controlPlane);
      since = performance.now();
    }
    return performance.now() - since > ms;
  };
  await vi.waitFor(async () => expect(await settled(), `${namespace} never comes to rest`).toBe(true), {
    timeout: 120_000,
    interval: 50,
  });
  return audit;
}

function isComplaint({ resource, subresource }: AuditedRequest): boolean {
  return resource === 'events' || (resource === 'horizontalpodautoscalers' && subresource === 'status');
}
