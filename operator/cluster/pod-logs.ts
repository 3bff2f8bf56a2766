import { Pod } from '../runtime/kubernetes/kinds.js';
import type { ObjectName } from '../runtime/kubernetes/object.js';
import { timestampOf } from '../runtime/kubernetes/timestamp.js';
import type { FollowLogOptions, PodLogs } from '../runtime/ports/pod-logs.js';
import type { Transport } from './http/transport.js';
import { pathOf, queryOf } from './paths.js';

/** Logs of Pods through the API server, each on a connection of its own. */
export class KubernetesPodLogs implements PodLogs {
  constructor(readonly transport: Pick<Transport, 'stream'>) {}

  follow(
    { namespace, name }: ObjectName,
    { container, since, signal }: FollowLogOptions,
  ): Promise<AsyncIterable<readonly Buffer[]>> {
    const query = queryOf({ container, follow: true, timestamps: true, sinceTime: timestampOf(since) });
    return this.transport.stream({
      ...{ method: 'GET', path: pathOf(Pod, { namespace, name, subresource: 'log' }) + query, signal },
    });
  }
}
