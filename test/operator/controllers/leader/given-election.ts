import { leaderElectionSpec, withDefaults } from '../../../../crds/index.js';
import type { LeaderElectionResource, LeaderElectionSpecInput } from '../../../../imports/index.js';
import { type HookRequest, leaderHooks } from '../../../../operator/controllers/leader/ports/hooks.js';
import { type LauncherReport, leaderLaunchers } from '../../../../operator/controllers/leader/ports/launchers.js';
import { type LeaseAnswer, leaderLeases } from '../../../../operator/controllers/leader/ports/leases.js';
import { leaderRedis } from '../../../../operator/controllers/leader/ports/redis.js';
import { leaderRoles, type PodRole, type RolesRequest } from '../../../../operator/controllers/leader/ports/roles.js';
import { CallError } from '../../../../operator/runtime/index.js';
import { fakeSource, portModel } from '../../../../operator/testing/index.js';

/** An input of a spec, of which each field may be left out. */
export type GivenSpec = Partial<LeaderElectionSpecInput>;

/** A spec with all defaults. */
export function givenSpec(spec: GivenSpec = {}) {
  const input = { selector: { app: 'cache' }, service: 'cache-leader', application: { redis: {} }, ...spec };
  return withDefaults(leaderElectionSpec, input as LeaderElectionSpecInput);
}

/** The election `cache` in the namespace `shop`. */
export function givenElection(
  spec: GivenSpec = {},
  { status, annotations }: { status?: object; annotations?: Record<string, string> } = {},
): LeaderElectionResource {
  return {
    apiVersion: 'reconstruct.dev/v1alpha1',
    kind: 'LeaderElection',
    metadata: { name: 'cache', namespace: 'shop', ...(annotations && { annotations }) },
    spec: givenSpec(spec),
    ...(status && { status }),
  } as unknown as LeaderElectionResource;
}

/** The Pods of the workload, as the API server has them. */
export function givenPods(names: readonly string[], namespace = 'shop') {
  return names.map((name, index) => ({
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { name, namespace, labels: { app: 'cache' } },
    spec: { nodeName: `node-${index}`, containers: [{ name: 'redis', image: 'redis:7' }] },
    status: { podIP: `10.0.0.${index + 1}`, conditions: [{ type: 'Ready', status: 'True' }] },
  }));
}

/** The report of a launcher. */
export function givenReport(name: string, uid: string, report: Partial<LauncherReport> = {}): LauncherReport {
  const { application, ...rest } = report;
  return {
    ...{ name, uid, boot: `boot-of-${name}`, term: 1, role: 'none', leads: false, fencedAt: 1 },
    ...rest,
    application: {
      ...{ isRunning: true, version: 'redis 7.0.15', replicationId: 'h0', offset: 0, isComplete: true, hasData: false },
      ...application,
    },
  };
}

/** Launchers that obey at once: the first Pod leads in term 1, and the others follow it. */
export const obedient = fakeSource(leaderLaunchers, ({ launchers }) => {
  const isFirst = ({ name }: { readonly name: string }) => name === launchers[0]?.name;
  const reports = launchers.map((one) => {
    const state = isFirst(one)
      ? ({ role: 'leader', leads: true, authority: 'Lease' } as const)
      : { role: 'replica' as const };
    const confirmedBy = isFirst(one) ? { confirmedBy: ['10.0.0.2'] } : { isLinked: true, isFresh: true };
    const application = { ...givenReport('', '').application, ...confirmedBy };
    return [one.name, givenReport(one.name, one.uid, { ...state, application })] as const;
  });
  return { reports: Object.fromEntries(reports), silent: {} };
});

/** A Redis that serves as the leader. */
export const servingRedis = fakeSource(leaderRedis, () => ({
  state: 'serving' as const,
  role: 'leader' as const,
  term: 1,
}));

interface LiveLease {
  readonly term: number;
  readonly holder: string;
}

/** The Leases of elections, which nobody else writes. Each one exists. */
export const givenLeases = (leases: Readonly<Record<string, LiveLease>> = {}) =>
  portModel(leaderLeases, {
    state: leases,
    answer: (all, { namespace, name }): LeaseAnswer => {
      const { term, holder } = all[`${namespace}/${name}`] ?? { term: 0, holder: '' };
      const identity = { uid: `uid-of-${name}`, term, version: `${term} ${holder}` };
      return holder === '' ? { state: 'released', ...identity } : { state: 'held', holder, ...identity };
    },
    perform: (all, { namespace, name, version, term, holder }) => {
      const before = all[`${namespace}/${name}`] ?? { term: 0, holder: '' };
      if (version !== `${before.term} ${before.holder}`) throw new CallError('retryable', 'the Lease has changed');
      return { ...all, [`${namespace}/${name}`]: { term, holder } };
    },
    showsWithin: 0,
  });

/** Pods end slowly: they exist for the rest of a test. */
function deletedIn(all: Readonly<Record<string, PodRole>>, { namespace, pods }: RolesRequest) {
  const ended = pods.map(({ name, uid }): [string, PodRole] => {
    const before = all[`${namespace}/${name}`] ?? { uid, isLabelled: false };
    return [`${namespace}/${name}`, { ...before, isEnding: true }];
  });
  return Object.fromEntries(ended);
}

/** The annotations of Pods. Each Pod of a question exists. */
export const givenRoles = (gone: readonly string[] = []) =>
  portModel(leaderRoles, {
    state: {} as Readonly<Record<string, PodRole>>,
    answer: (all, { namespace, pods }) => ({
      pods: Object.fromEntries(
        pods
          .filter(({ name }) => !gone.includes(name))
          .map(({ name, uid }) => [name, all[`${namespace}/${name}`] ?? { uid, isLabelled: false }]),
      ),
    }),
    perform: (all, request) => {
      if (request.act === 'delete') return { ...all, ...deletedIn(all, request) };
      const changed = request.pods.map(({ name, uid, role, term, isLabelled }): [string, PodRole] => {
        const key = `${request.namespace}/${name}`;
        const before = all[key] ?? { uid, isLabelled: false };
        const kept = { role: role === undefined ? before.role : role, term: term === undefined ? before.term : term };
        const { role: text, term: number } = kept;
        const labelled = isLabelled ?? before.isLabelled;
        return [
          key,
          {
            ...{ uid, isLabelled: labelled },
            ...(before.isEnding && { isEnding: true as const }),
            ...(typeof text === 'string' && { role: text }),
            ...(typeof number === 'string' && { term: number }),
          },
        ];
      });
      const next = Object.entries({ ...all, ...Object.fromEntries(changed) });
      return Object.fromEntries(
        next.filter(
          ([, { role, term, isLabelled, isEnding }]) => role ?? term ?? (isLabelled || isEnding || undefined),
        ),
      );
    },
    showsWithin: 0,
  });

/** Applications that obey each hook. */
export const givenHooks = () =>
  portModel(leaderHooks, {
    state: {} as Readonly<Record<string, { readonly role: 'leader' | 'replica'; readonly term: number }>>,
    answer: (all, { pods }) => ({
      states: Object.fromEntries(pods.map(({ name }) => [name, all[name] ?? { role: 'none' as const, term: 0 }])),
      silent: {},
    }),
    perform: (all, { hook, pod, term }: HookRequest) => ({
      ...all,
      [pod.name]: { role: hook === 'promote' ? ('leader' as const) : ('replica' as const), term },
    }),
    showsWithin: 0,
  });
