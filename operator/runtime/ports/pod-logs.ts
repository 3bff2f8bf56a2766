import type { ObjectName } from '../kubernetes/object.js';

/** How a log is read. */
export interface FollowLogOptions {
  readonly container: string;
  /** Lines that were written before are left out. The API server knows only whole seconds. */
  readonly since: Date;
  readonly signal: AbortSignal;
}

/** The logs of Pods, as the kubelets have them. */
export interface PodLogs {
  /**
   * The log of a container as it is written, each line after its time in RFC 3339 and a space. It ends when the container
   * ends, or when the connection does.
   * @throws {ApiError} if the API server refuses, or the container has not started
   */
  follow(pod: ObjectName, options: FollowLogOptions): Promise<AsyncIterable<readonly Buffer[]>>;
}
