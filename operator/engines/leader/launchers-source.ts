import { type LaunchersQuestion, launcherPort, leaderLaunchers } from '../../controllers/leader/ports/launchers.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';
import { launcherReport } from './launcher-report.js';
import { askEach, askPod, type PodAccess } from './pod-request.js';

/** Milliseconds for one launcher. */
const patience = 2_000;

/** How launchers are reached. */
export interface LauncherAccess extends PodAccess {
  readonly token: () => Promise<string>;
}

/** Asks the launchers of candidates for their state. */
export function launchersFrom(access: LauncherAccess): Provided {
  return provided(leaderLaunchers, async ({ launchers }: LaunchersQuestion, { signal }) => {
    const token = await access.token();
    const { answers: reports, silent } = await askEach(
      launchers,
      async ({ name, uid, address }) => {
        const request = { address, port: launcherPort, path: '/v1/status', timeout: patience, token, signal };
        const { status, text } = await askPod(request, access);
        if (status !== 200) throw new Error(`the launcher answers with status ${status}${meaning[status] ?? ''}`);
        const report = launcherReport(text);
        if (report.name !== name || report.uid !== uid) throw new Error(`the launcher at ${address} is of another Pod`);
        return report;
      },
      signal,
    );
    return { reports, silent };
  });
}

const meaning: Readonly<Record<number, string>> = {
  403: ': its ServiceAccount does not accept the operator, see the audience of the token',
  503: ': it could not ask the API server who the operator is, see its ClusterRoleBinding to system:auth-delegator',
};
