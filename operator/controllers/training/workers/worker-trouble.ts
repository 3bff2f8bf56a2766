import { gangGate, trainingContainer } from '../../../../src/index.js';
import { exitMessage } from '../../../pods/exit-message.js';
import { podFailureIn } from '../../../pods/pod-failure.js';
import type { LivePod, LiveTermination } from '../../../runtime/index.js';

/** Why a worker does not run. */
export interface WorkerTrouble {
  /** The words of the scheduler, the kubelet or the program, as a part of a sentence. */
  readonly message: string;
  /** What somebody has to change first. Absent if it can end by itself. `Volume` is one that a node cannot mount. */
  readonly lacks?: 'Claim' | 'Volume' | 'Image' | 'Container' | undefined;
}

/** Why a worker does not run, as a stable message. Undefined if its Pod reports nothing: it starts, runs or has succeeded. */
export function workerTroubleOf(pod: LivePod): WorkerTrouble | undefined {
  const failure = podFailureIn(pod, { main: trainingContainer, completes: true });
  if (!failure) return undefined;
  if (failure.cause === 'Unschedulable') return unscheduled(pod, failure);
  const where = failure.container === trainingContainer ? '' : `container ${failure.container}: `;
  if (failure.cause === 'Exited') return { message: `${where}${howItEnded(failure.termination)}` };
  const { message } = failure;
  if (failure.cause === 'Waiting')
    return { lacks: 'Container', message: `${where}${[failure.reason, message].filter(Boolean).join(': ')}` };
  const why = pullError(message);
  return { lacks: 'Image', message: `${where}the image ${failure.image} cannot be pulled${why && `: ${why}`}` };
}

/** The scheduler says so of a claim, and in the same words whether the Pod names it or is that of a template. */
const claimMissing = /persistentvolumeclaim "[^"]*" not found/;

/**
 * The scheduler says so if a claim has no volume, or if its volume is where no node has room.
 * @see https://github.com/kubernetes/kubernetes/blob/master/pkg/scheduler/framework/plugins/volumebinding
 */
const volumeMissing =
  /unbound immediate PersistentVolumeClaims|available persistent volumes to bind|volume node affinity conflict|PersistentVolume's node affinity|no available volume zone|bound to non-existent pv/;

/** A gate of the operator is no trouble: the message of the job has what it waits for. */
function unscheduled(
  { spec }: LivePod,
  { reason, message }: { readonly reason: string; readonly message: string },
): WorkerTrouble | undefined {
  if (reason === 'SchedulingGated') {
    const others = (spec.schedulingGates ?? []).map(({ name }) => name).filter((name) => name !== gangGate);
    return others.length === 0 ? undefined : { message: `its Pod has the scheduling gate ${others.join(', ')}` };
  }
  const missing = claimMissing.exec(message)?.[0];
  if (missing !== undefined) return { lacks: 'Claim', message: missing };
  const trouble = { message: `no node can run the Pod: ${message}` };
  return volumeMissing.test(message) ? { ...trouble, lacks: 'Volume' } : trouble;
}

/** The cause, without the words that come and go between two tries. */
function pullError(message: string): string {
  return message
    .replace(/^Back-off pulling image "[^"]*"(: )?/, '')
    .replace(/^ErrImagePull: /, '')
    .trim();
}

/** Exit code of a process that got SIGKILL, by the kernel or a person: what it wrote last is not the cause. */
const killed = 137;

function howItEnded({ exitCode, reason, message }: LiveTermination): string {
  if (reason === 'OOMKilled')
    return `the memory limit of the container was exceeded: OOMKilled (exit code ${exitCode})`;
  return exitMessage({ exitCode, output: exitCode === killed ? '' : (faultIn(message) ?? message) });
}

/** The message of a launcher that has given its Pod up. */
function faultIn(message = ''): string | undefined {
  if (!message.startsWith('{')) return undefined;
  try {
    const { message: text } = JSON.parse(message) as { readonly message?: unknown };
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined; // a line of a log
  }
}
