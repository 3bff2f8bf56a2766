import type { Construct } from 'constructs';
import { KafkaHookJob, kafkaHookJobName } from '../../../../../src/index.js';
import { allowRejection, createOnly, Job, type LiveJob, type Owned } from '../../../../runtime/index.js';
import { openHook, type Situation } from '../plan/index.js';
import type { HookProgress } from './hook-progress.js';
import { type HookedResource, type RecordedHook, recordedHooks, runningHook } from './recorded-hooks.js';

type OwnedJobs = Pick<Owned<typeof Job>, 'of'>;

/**
 * Renders the Job of the running hook. The Jobs of ended hooks of the same restart stay, so that people can read their logs, but
 * only if they have ended too: one that runs after its time is deleted, and one that was deleted is not created again.
 */
export function renderHookJobs(
  scope: Construct,
  resource: HookedResource,
  { situation, owned }: { readonly situation: Situation; readonly owned: OwnedJobs },
): void {
  const { name: cluster, namespace } = resource.metadata;
  const open = openHook(situation);
  const running = runningHook(resource);
  for (const recorded of recordedHooks(resource)) {
    const { hook, id, job, restart } = recorded;
    const live = liveJob(resource, recorded, owned);
    // It goes on while its broker is not seen for a moment: another run would begin from the start.
    const isWanted =
      hook === running?.hook ? open?.hook === hook || live !== undefined : live !== undefined && hasEnded(live);
    const node = situation.nodes.find((one) => one.name === restart.node);
    if (!job || !node || !isWanted) continue;
    const { interrupted = [], interruptedPartitions = 0 } = restart;
    const { job: rendered } = new KafkaHookJob(scope, `hook-${hook}`, {
      ...{ name: cluster, ...(namespace !== undefined && { namespace }), job },
      restart: { id, hook, broker: node.id, pod: node.name, interrupted, interruptedPartitions },
    });
    createOnly(rendered);
    // The nodes are kept alive whatever a quota or a policy thinks of the Job.
    allowRejection(rendered, `correct spec.hooks.${hook}.job, or remove the hook`);
  }
}

/** How far the Job of the running hook got. Undefined without one. */
export function jobProgress(resource: HookedResource, owned: OwnedJobs): HookProgress | undefined {
  const running = runningHook(resource);
  if (!running?.job) return undefined;
  const name = nameOf(resource, running, running.job);
  const live = liveJob(resource, running, owned);
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

function nameOf({ metadata }: HookedResource, { id }: RecordedHook, job: NonNullable<RecordedHook['job']>): string {
  return kafkaHookJobName(metadata.name, id, job);
}

function liveJob(resource: HookedResource, recorded: RecordedHook, owned: OwnedJobs): LiveJob | undefined {
  const { job } = recorded;
  const name = job && nameOf(resource, recorded, job);
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
