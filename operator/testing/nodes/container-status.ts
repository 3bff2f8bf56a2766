import { timestampOf } from '../../runtime/kubernetes/timestamp.js';

/** The parts of a container that decide its status. */
export interface SimulatedContainer {
  readonly name: string;
  readonly image: string;
  /** `Always` for a sidecar among the init containers. */
  readonly restartPolicy?: string;
}

/** A `ContainerStatus`, as a kubelet reports it. */
export interface ContainerStatus {
  readonly name: string;
  readonly image: string;
  readonly imageID: string;
  readonly containerID?: string;
  readonly ready: boolean;
  readonly started: boolean;
  readonly restartCount: number;
  readonly state: ContainerState;
  readonly lastState: Pick<ContainerState, 'terminated'>;
}

interface ContainerState {
  readonly waiting?: { readonly reason: string; readonly message?: string };
  readonly running?: { readonly startedAt: string };
  readonly terminated?: {
    readonly exitCode: number;
    readonly reason: string;
    readonly startedAt: string;
    readonly finishedAt: string;
  };
}

/** Milliseconds until a container with a slow image is ready, or has finished. */
export const slowness = 10_000;

/** The words of an image's name or tag that change how its containers behave. */
const words = ['missing', 'failing', 'slow'] as const;

/** How containers of an image behave. `working` is the default. */
export type ImageBehavior = (typeof words)[number] | 'working';

/** The behavior that an image's name or tag states as a word of its own: `slow` for `registry.example.com/server:2-slow`. */
export function behaviorOf(image: string): ImageBehavior {
  const stated = image.toLowerCase().split(/[^a-z0-9]+/);
  return words.find((word) => stated.includes(word)) ?? 'working';
}

/** A container and the circumstances in which it runs. */
export interface ContainerRun {
  readonly container: SimulatedContainer;
  /** Whether the container runs until it is stopped. Otherwise it exits. */
  readonly isServer: boolean;
  /** Whether the container restarts after a failure. */
  readonly restarts: boolean;
  /** When the kubelet started the Pod, RFC 3339. */
  readonly startTime: string;
  /** Milliseconds since then. */
  readonly age: number;
}

/** The status of a container that may start. */
export function containerStatusOf({ container, isServer, restarts, startTime, age }: ContainerRun): ContainerStatus {
  const behavior = behaviorOf(container.image);
  const finishedAt = timestampOf(Date.parse(startTime) + (behavior === 'slow' ? slowness : 0));
  const exited = (exitCode: number, reason: string) => ({
    terminated: { exitCode, reason, startedAt: startTime, finishedAt },
  });
  const running = { running: { startedAt: startTime } };
  switch (behavior) {
    case 'missing': {
      const message = `Back-off pulling image "${container.image}"`;
      return statusOf(container, { state: { waiting: { reason: 'ImagePullBackOff', message } } });
    }
    case 'failing': {
      const failure = exited(1, 'Error');
      if (!restarts) return statusOf(container, { state: failure });
      const message = `back-off restarting failed container ${container.name}`;
      const state = { waiting: { reason: 'CrashLoopBackOff', message } };
      return statusOf(container, { state, lastState: failure, restartCount: 1 });
    }
    default: {
      const isDue = behavior === 'working' || age >= slowness;
      if (isServer) return statusOf(container, { state: running, started: true, ready: isDue });
      return isDue
        ? statusOf(container, { state: exited(0, 'Completed') })
        : statusOf(container, { state: running, started: true });
    }
  }
}

/** The status of a container that waits for the init containers. */
export function initializingStatusOf(container: SimulatedContainer): ContainerStatus {
  return statusOf(container, { state: { waiting: { reason: 'PodInitializing' } } });
}

/** The status of a container that was stopped because its Pod is being deleted. */
export function stoppedStatusOf(container: SimulatedContainer, now: string): ContainerStatus {
  const terminated = { exitCode: 137, reason: 'Error', startedAt: now, finishedAt: now };
  return statusOf(container, { state: { terminated } });
}

function statusOf(
  { name, image }: SimulatedContainer,
  status: Pick<ContainerStatus, 'state'> & Partial<ContainerStatus>,
): ContainerStatus {
  return { name, image, imageID: '', ready: false, started: false, restartCount: 0, lastState: {}, ...status };
}
