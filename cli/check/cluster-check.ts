import { isApiError, messageOf } from '../../operator/runtime/kubernetes/errors.js';
import { systemClock } from '../../operator/runtime/ports/clock.js';
import type { AccessOptions } from '../cluster/access-options.js';
import { clusterAt } from '../cluster/cluster-access.js';
import { withWaitNotice } from '../cluster/wait-notice.js';
import { controllersIn } from '../controllers/loaded-controllers.js';
import { ownPackage } from '../files/own-package.js';
import { ClusterView } from './cluster-view.js';
import type { Finding } from './findings/finding.js';
import { checkInstallation } from './installation-check.js';

/** Which installation is checked. */
export interface CheckedInstallation extends AccessOptions {
  /** Of the operator. */
  readonly namespace: string;
  readonly name: string;
  /** @default - the controllers of this package */
  readonly module?: string;
}

/**
 * Everything that is found in the cluster that the options name.
 * @param program the name of the command line
 * @throws {Error} with a message for the user, such as if the API server does not answer
 */
export async function clusterFindings(options: CheckedInstallation, program: string): Promise<readonly Finding[]> {
  const { namespace, name, module } = options;
  const loaded = await controllersIn(module);
  await using at = await clusterAt(options);
  using _ = withWaitNotice(at.origin);
  const { version } = ownPackage();
  const place = { namespace, name };
  const checked = { place, loaded, isModule: module !== undefined, version, program, now: systemClock.now() };
  try {
    return await checkInstallation(new ClusterView(at.cluster), checked);
  } catch (error) {
    if (!isApiError(error) || error.code !== 0) throw error;
    throw new Error(`the API server at ${at.origin} does not answer: ${messageOf(error)}`, { cause: error });
  }
}
