import type { Construct } from 'constructs';
import { secondsOf } from '../../../../crds/index.js';
import type { KafkaClusterResource } from '../../../../imports/index.js';
import { KafkaHookJob, type KafkaHookJobSpec, kafkaHookJobName } from '../../../../src/index.js';
import type { HookAnswer, HookQuestion } from '../../../members/index.js';
import {
  announcedMember,
  announcedRestart,
  type HookProgress,
  hookPollRequest,
  httpProgress as httpProgressOf,
  jobProgress as jobProgressOf,
  type RecordedRestart as MemberRestart,
  type ResourceRestart,
  renderHttpHook as renderHttpHookOf,
  renderJobHooks,
  restartAnnouncement,
  restartReport as restartReportOf,
} from '../../../members/index.js';
import type { CallState, Job, Owned, Polled, PollRequest, ResourceEvent } from '../../../runtime/index.js';
import type { KafkaNode } from './nodes/nodes.js';
import { openHook, restartsIn, type Step } from './plan/index.js';
import type { RecordedRestart, Situation } from './situation.js';

export { type HookProgress, hookCall } from '../../../members/index.js';

type HookedResource = Pick<KafkaClusterResource, 'metadata' | 'spec' | 'status'>;
type OwnedJobs = Pick<Owned<typeof Job>, 'of'>;

/** A recorded restart of a broker, with the partitions that it interrupts. */
interface BrokerRestart extends MemberRestart, Pick<RecordedRestart, 'interrupted' | 'interruptedPartitions'> {}

/** The restart of the status in the words of members. */
function recordedIn(resource: HookedResource): ResourceRestart<KafkaHookJobSpec, BrokerRestart> {
  const { restart } = resource.status ?? {};
  return { resource, restart: restart && ofMember(restart) };
}

function ofMember({ node, ...rest }: RecordedRestart): BrokerRestart {
  return { member: node, ...rest };
}

function ofBroker({ member, ...rest }: BrokerRestart): RecordedRestart {
  return { node: member, ...rest } as RecordedRestart;
}

/** Asks whether the server has confirmed the running hook. */
export function hookAsked({ resource }: { readonly resource: HookedResource }): PollRequest<HookQuestion> | undefined {
  return hookPollRequest(recordedIn(resource));
}

/** Renders the request of the running hook, until its server has confirmed it. */
export function renderHttpHook(
  scope: Construct,
  resource: HookedResource,
  { situation, polled }: { readonly situation: Situation; readonly polled: Polled<HookAnswer> | undefined },
): void {
  const open = openHook(situation);
  renderHttpHookOf(scope, {
    ...recordedIn(resource),
    ...{ polled, open: open && { hook: open.hook, member: open.node } },
    documentOf: ({ restart }, { member }) => ({
      ...{ cluster: resource.metadata.name, broker: member.id },
      ...interruptedBy(restart),
    }),
  });
}

/** How far the running request got. Undefined without one. */
export function httpProgress(
  resource: HookedResource,
  seen: { readonly polled: Polled<HookAnswer> | undefined; readonly call: CallState },
): HookProgress | undefined {
  return httpProgressOf(recordedIn(resource), seen);
}

/** Renders the Job of the running hook, and keeps the Jobs of ended hooks. */
export function renderHookJobs(
  scope: Construct,
  resource: HookedResource,
  { situation, owned }: { readonly situation: Situation; readonly owned: OwnedJobs },
): void {
  const { name, namespace } = resource.metadata;
  renderJobHooks({
    ...jobHooksOf(resource, owned),
    open: openHook(situation)?.hook,
    render: ({ hook, id, job, restart }) => {
      const node = situation.nodes.find((one) => one.name === restart.member);
      if (!node) return undefined;
      const about = { id, hook, broker: node.id, pod: node.name, ...interruptedBy(restart) };
      return new KafkaHookJob(scope, `hook-${hook}`, {
        ...{ name, ...(namespace !== undefined && { namespace }), job, restart: about },
      }).job;
    },
  });
}

/** How far the Job of the running hook got. Undefined without one. */
export function jobProgress(resource: HookedResource, owned: OwnedJobs): HookProgress | undefined {
  return jobProgressOf(jobHooksOf(resource, owned));
}

function jobHooksOf(resource: HookedResource, owned: OwnedJobs) {
  const nameOf = (id: string, job: KafkaHookJobSpec) => kafkaHookJobName(resource.metadata.name, id, job);
  return { ...recordedIn(resource), owned, nameOf };
}

function interruptedBy({ interrupted = [], interruptedPartitions = 0 }: BrokerRestart) {
  return { interrupted, interruptedPartitions };
}

/** What the status says about restarts, the events, and when the deadline of a hook ends. */
export interface RestartReport {
  readonly status: { readonly restart?: RecordedRestart };
  readonly events: readonly ResourceEvent[];
  /** Milliseconds. */
  readonly requeueAfter?: number;
}

/** Records the restart that is due, and how far its hooks got. */
export function restartReport(
  resource: HookedResource,
  seen: {
    readonly situation: Situation;
    readonly steps: readonly Step[];
    /** How far the running hook got. */
    readonly progress: HookProgress | undefined;
  },
): RestartReport {
  const { situation, steps, progress } = seen;
  const announced = announcedMember<KafkaNode>(steps);
  const { deadline: text = '0s' } = resource.spec.hooks ?? {};
  const { restart, ...report } = announced
    ? announcementOf(announced, situation)
    : restartReportOf({
        ...{ resource, restart: situation.restart && ofMember(situation.restart), progress, now: situation.now },
        ...{ restarts: restartsIn(situation), deadline: { milliseconds: 1_000 * secondsOf(text), text } },
      });
  return { status: restart ? { restart: ofBroker(restart) } : {}, ...report };
}

function announcementOf(node: KafkaNode, situation: Situation) {
  const { unavoidable = 0, blockingNames = [] } = situation.cluster?.load[node.id] ?? {};
  const restart: BrokerRestart = {
    ...announcedRestart(node, restartsIn(situation), situation.now),
    ...(unavoidable > 0 && { interrupted: [...blockingNames], interruptedPartitions: unavoidable }),
  };
  const names = blockingNames.join(', ');
  const note = `The restart of ${node.name} interrupts ${unavoidable} partitions without a replica to spare, such as ${names}`;
  return restartAnnouncement(
    restart,
    unavoidable > 0 ? [{ type: 'Warning' as const, reason: 'PartitionsInterrupted', note }] : [],
  );
}
