import type { ApiObject } from 'cdk8s';
import { allowRejection, createOnly, Job, type LiveJob, type Owned } from '../../runtime/index.js';
import type { HookProgress } from './hook-progress.js';
import { type RecordedHook, type ResourceRestart, recordedHooks, runningHook } from './recorded-hooks.js';
import type { HookName, RecordedRestart } from './restart.js';

type OwnedJobs = Pick<Owned<typeof Job>, 'of'>;

/** A hook with a Job. */
export type JobHook<J, R extends RecordedRestart> = RecordedHook<J, R> & { readonly job: J };

/** How a kind names and renders the Jobs of its hooks. */
export interface JobHookProps<J, R extends RecordedRestart> extends ResourceRestart<J, R> {
  readonly owned: OwnedJobs;
  /** The name of the Job of a hook. It differs between two restarts and two specs: a Job is never created twice. */
  readonly nameOf: (id: string, job: J) => string;
}

/** What renders the Jobs of hooks. */
export interface RenderedJobHooks<J, R extends RecordedRestart> extends JobHookProps<J, R> {
  /** The hook that has to run now. */
  readonly open: HookName | undefined;
  /** Renders the Job of a hook. Undefined if the member of the restart does not exist. */
  readonly render: (hook: JobHook<J, R>) => ApiObject | undefined;
}

/**
 * Renders the Job of the running hook. The Jobs of ended hooks of the same restart stay, so that people can read their logs, but
 * only if they have ended too: a Job that runs after its time is deleted, and a deleted Job is not created again.
 */
export function renderJobHooks<J, R extends RecordedRestart>(props: RenderedJobHooks<J, R>): void {
  const running = runningHook(props);
  for (const recorded of recordedHooks(props)) {
    if (!hasJob(recorded)) continue;
    const { hook } = recorded;
    const live = liveJob(props, recorded);
    // It goes on while its member is not seen for a moment: another run would begin from the start.
    const isWanted =
      hook === running?.hook ? props.open === hook || live !== undefined : live !== undefined && hasEnded(live);
    const job = isWanted ? props.render(recorded) : undefined;
    if (!job) continue;
    createOnly(job);
    // The members are kept alive whatever a quota or a policy thinks of the Job.
    allowRejection(job, `correct spec.hooks.${hook}.job, or remove the hook`);
  }
}

/** How far the Job of the running hook got. Undefined without one. */
export function jobProgress<J, R extends RecordedRestart>(props: JobHookProps<J, R>): HookProgress | undefined {
  const running = runningHook(props);
  if (!running || !hasJob(running)) return undefined;
  const name = props.nameOf(running.id, running.job);
  const live = liveJob(props, running);
  const result = live && resultOf(live);
  if (!live) return { hasSucceeded: false, problem: `Job ${name} does not exist yet` };
  if (result === 'Complete') return { hasSucceeded: true };
  const advice = `see "kubectl describe job ${name}"`;
  if (result === 'Failed') {
    const { reason = '', message = '' } = live.status?.conditions?.find(isTrue('Failed')) ?? {};
    const cause = [reason, message].filter((part) => part !== '').join(', ');
    const problem = `Job ${name} has failed${cause && `: ${cause}`}; ${advice}, then correct the hook, or delete the Job to run it again`;
    return { hasSucceeded: false, hasFailed: true, problem };
  }
  const { failed = 0 } = live.status ?? {};
  const so = failed > 0 ? `, and ${failed} of its Pods failed` : '';
  return { hasSucceeded: false, problem: `Job ${name} is not complete${so}; ${advice}` };
}

function hasJob<J, R extends RecordedRestart>(recorded: RecordedHook<J, R>): recorded is JobHook<J, R> {
  return recorded.job !== undefined;
}

function liveJob<J, R extends RecordedRestart>(
  { owned, nameOf }: JobHookProps<J, R>,
  { id, job }: JobHook<J, R>,
): LiveJob | undefined {
  const name = nameOf(id, job);
  return owned.of(Job).find(({ metadata }) => metadata.name === name);
}

function hasEnded(job: LiveJob): boolean {
  return resultOf(job) !== undefined;
}

/** How a Job ended. Undefined while it runs. */
function resultOf({ status }: LiveJob): 'Complete' | 'Failed' | undefined {
  return (['Complete', 'Failed'] as const).find((type) => status?.conditions?.some(isTrue(type)));
}

function isTrue(type: string) {
  return (condition: { readonly type: string; readonly status: string }) =>
    condition.type === type && condition.status === 'True';
}
