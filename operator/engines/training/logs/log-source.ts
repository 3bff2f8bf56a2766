import type { FollowedPod, LogAnswer, LogQuestion } from '../../../controllers/training/ports/logs.js';
import type { Clock } from '../../../runtime/ports/clock.js';
import type { Announcer } from '../../../runtime/ports/external-port.js';
import type { PodLogs } from '../../../runtime/ports/pod-logs.js';
import { deadlinesOf, findingsIn } from './findings.js';
import { JobRules } from './job-rules.js';
import { LogFollower } from './log-follower.js';

/** Milliseconds without a question after which the logs of a job are no longer followed. */
const idle = 30_000;
/** Logs of one job that are followed, those of the first workers. Each has a connection of its own. */
const most = 256;
/** Failures in an answer. */
const mostFailures = 3;

/** What a source of logs needs. */
export interface LogSourceOptions {
  readonly logs: PodLogs;
  readonly clock: Clock;
}

/** The logs of all jobs that are asked for. */
export class LogSource {
  readonly #jobs = new Map<string, JobLogs>();
  readonly #announcements = new Set<(question: LogQuestion) => void>();

  constructor(readonly options: LogSourceOptions) {}

  /** What the rules have found. The first question starts to follow the logs. */
  ask(question: LogQuestion): LogAnswer {
    const key = `${question.namespace}/${question.job}`;
    const before = this.#jobs.get(key);
    const isSame = before !== undefined && JSON.stringify(before.question.rules) === JSON.stringify(question.rules);
    if (before && !isSame) void before.close();
    const job = before && isSame ? before : this.#made(key, question);
    this.#jobs.set(key, job);
    return job.ask(question);
  }

  readonly announces: Announcer<LogQuestion> = (announce, { signal }) => {
    if (signal.aborted) return;
    this.#announcements.add(announce);
    signal.addEventListener('abort', () => this.#announcements.delete(announce), { once: true });
  };

  async close(): Promise<void> {
    await Promise.all([...this.#jobs.values()].map((job) => job.close()));
  }

  #made(key: string, { rules }: LogQuestion): JobLogs {
    const job: JobLogs = new JobLogs(new JobRules(rules), {
      ...this.options,
      found: (question) => {
        for (const announce of this.#announcements) announce(question);
      },
      forgotten: () => {
        if (this.#jobs.get(key) === job) this.#jobs.delete(key);
      },
    });
    return job;
  }
}

interface JobOptions extends LogSourceOptions {
  readonly found: (question: LogQuestion) => void;
  readonly forgotten: () => void;
}

const idOf = ({ uid, since }: FollowedPod) => `${uid} ${since}`;

/** The logs of one job. */
class JobLogs {
  readonly #followers = new Map<string, LogFollower>();
  #question: LogQuestion | undefined;
  #cancel = () => {};

  constructor(
    readonly rules: JobRules,
    readonly options: JobOptions,
  ) {}

  get question(): Pick<LogQuestion, 'rules'> {
    return this.rules;
  }

  ask(question: LogQuestion): LogAnswer {
    this.#question = question;
    this.#wake();
    this.#follow(question);
    const followers = [...this.#followers.values()];
    const logs = followers.map(({ known }) => known);
    const now = this.options.clock.now();
    for (const [index, known] of logs.entries()) {
      const due = deadlinesOf(this.rules.rules, known).filter((time) => time <= now);
      if (due.length > 0) followers[index]?.proveUntil(Math.max(...due));
    }
    const unread = followers.flatMap(({ failure }) => failure ?? []);
    return {
      generation: question.generation,
      findings: findingsIn(this.rules.rules, logs),
      failures: [...this.rules.failures, ...unread].slice(0, mostFailures),
    };
  }

  async close(): Promise<void> {
    this.#cancel();
    this.options.forgotten();
    const all = [...this.#followers.values()];
    this.#followers.clear();
    await Promise.all(all.map((one) => one.close()));
  }

  #wake(): void {
    this.#cancel();
    this.#cancel = this.options.clock.after(idle, () => void this.close());
  }

  #follow({ pods, namespace, container }: LogQuestion): void {
    const wanted = new Map(pods.slice(0, most).map((pod) => [idOf(pod), pod]));
    for (const [id, one] of this.#followers) {
      if (wanted.has(id)) continue;
      this.#followers.delete(id);
      void one.close();
    }
    const { logs, clock } = this.options;
    const found = () => this.#question && this.options.found(this.#question);
    for (const [id, pod] of wanted)
      if (!this.#followers.has(id))
        this.#followers.set(id, new LogFollower(pod, { logs, clock, rules: this.rules, namespace, container, found }));
  }
}
