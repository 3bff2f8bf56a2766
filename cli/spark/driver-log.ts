import type { Transport } from '../../operator/cluster/http/transport.js';
import { pathOf, queryOf } from '../../operator/cluster/paths.js';
import { isApiError } from '../../operator/runtime/kubernetes/errors.js';
import { Pod } from '../../operator/runtime/kubernetes/kinds.js';
import type { ObjectName } from '../../operator/runtime/kubernetes/object.js';
import { sparkContainers } from '../../src/index.js';

/** How a log is read. */
export interface DriverLogOptions {
  /** Whether to wait for more until the driver ends. */
  readonly follow: boolean;
  readonly transport: Pick<Transport, 'stream'>;
  readonly write: (piece: Buffer) => void;
}

/** Writes the log of a driver. @throws {Error} if its Pod is gone or its container has not started */
export async function writeDriverLog(pod: ObjectName, { follow, transport, write }: DriverLogOptions): Promise<void> {
  const { namespace, name } = pod;
  const path = pathOf(Pod, { namespace, name, subresource: 'log' });
  const query = queryOf({ container: sparkContainers.driver, follow });
  const pieces = await transport.stream({ method: 'GET', path: path + query }).catch((error: unknown) => {
    if (!isApiError(error, 'NotFound')) throw error;
    throw new Error(
      `Pod ${namespace}/${name} does not exist, or no longer; of drivers that have ended, the last three stay`,
    );
  });
  for await (const buffers of pieces) for (const buffer of buffers) write(buffer);
}
