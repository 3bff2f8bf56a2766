import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { LivePod } from './kinds.js';

/** The logs of Pods from their first line on, also of those that are killed later. */
export class FollowedLogs implements AsyncDisposable {
  /** By the identifier of the Pod: another Pod may have its name later. */
  readonly #texts = new Map<string, string>();
  readonly #stop = new AbortController();
  readonly #looking: Promise<void>;

  /** @param pods lists the Pods to follow */
  constructor(readonly pods: () => Promise<readonly LivePod[]>) {
    this.#looking = this.#look();
  }

  /** What all Pods have logged so far. */
  get text(): string {
    return [...this.#texts.values()].join('');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { signal } = this.#stop;
    const followed = new Set<string>();
    while (!signal.aborted) {
      for (const { metadata, status } of await this.pods().catch(() => [])) {
        const isRunning = status?.phase === 'Running';
        if (!isRunning || followed.has(metadata.uid)) continue;
        followed.add(metadata.uid);
        this.#follow(metadata);
      }
      await pause(500, undefined, { signal }).catch(() => {});
    }
  }

  #follow({ name, uid, namespace = '' }: LivePod['metadata']): void {
    const command = process.env['RECONSTRUCT_KUBECTL'] || 'kubectl';
    const args = ['--namespace', namespace, 'logs', name, '--follow', '--all-containers'];
    const { signal } = this.#stop;
    const child = spawn('/bin/sh', ['-c', `exec ${command} "$@"`, 'sh', ...args], { signal, stdio: 'pipe' });
    child.on('error', () => {}); // aborted
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      this.#texts.set(uid, (this.#texts.get(uid) ?? '') + part);
    });
  }
}
