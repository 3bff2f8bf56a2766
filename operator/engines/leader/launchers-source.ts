import {
  type LaunchersAnswer,
  type LaunchersQuestion,
  launcherPort,
  leaderLaunchers,
} from '../../controllers/leader/ports/launchers.js';
import { keyOf, type ObjectKey } from '../../runtime/kubernetes/object.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';
import { launcherReport } from './launcher-report.js';
import type { LeaseObserver } from './lease-observer.js';
import { askEach, askPod, type PodAccess } from './pod-request.js';

/** Milliseconds for one launcher: as a rule, and if it was silent the last time. */
const [patience, impatience] = [2_000, 500];
/** A silent launcher has the whole time once in so many questions, because its machine may only be slow. */
const turns = 4;

/** How launchers are reached. */
export interface LauncherAccess extends PodAccess {
  readonly token: () => Promise<string>;
  readonly observer: Pick<LeaseObserver, 'announceTo'>;
}

/** What is remembered of an election from its last question. */
interface Earlier {
  readonly question: LaunchersQuestion;
  /** How many questions in a row a launcher has not answered, by the UID of its Pod. Zero is absent. */
  readonly silences: ReadonlyMap<string, number>;
}

/** Asks the launchers of candidates for their state. */
export function launchersFrom(access: LauncherAccess): Provided {
  const earlier = new Map<ObjectKey, Earlier>();
  return provided(
    leaderLaunchers,
    async (question: LaunchersQuestion, { signal }) => {
      const key = keyOf({ namespace: question.namespace, name: question.lease });
      const before = earlier.get(key)?.silences ?? new Map<string, number>();
      const answer = await askAll(question, before, { ...access, signal });
      const silences = question.launchers
        .filter(({ name }) => answer.silent[name] !== undefined)
        .map(({ uid }) => [uid, (before.get(uid) ?? 0) + 1] as const);
      earlier.set(key, { question, silences: new Map(silences) });
      return answer;
    },
    {
      announces: (announce, options) =>
        access.observer.announceTo((lease) => {
          const known = earlier.get(keyOf(lease));
          if (known) announce(known.question);
        }, options),
    },
  );
}

async function askAll(
  { launchers }: LaunchersQuestion,
  silences: Earlier['silences'],
  access: LauncherAccess & { readonly signal: AbortSignal },
): Promise<LaunchersAnswer> {
  const token = await access.token();
  const { signal } = access;
  const ask = async ({ name, uid, address }: LaunchersQuestion['launchers'][number]) => {
    const timeout = (silences.get(uid) ?? 0) % turns === 0 ? patience : impatience;
    const request = { address, port: launcherPort, path: '/v1/status', timeout, token, signal };
    const { status, text } = await askPod(request, access);
    if (status !== 200) throw new Error(`the launcher answers with status ${status}${meaning[status] ?? ''}`);
    const report = launcherReport(text);
    if (report.name !== name || report.uid !== uid) throw new Error(`the launcher at ${address} is of another Pod`);
    return report;
  };
  const { answers: reports, silent } = await askEach(launchers, ask, signal);
  return { reports, silent };
}

const meaning: Readonly<Record<number, string>> = {
  403: ': its ServiceAccount does not accept the operator, see the audience of the token',
  503: ': it could not ask the API server who the operator is, see its ClusterRoleBinding to system:auth-delegator',
};
