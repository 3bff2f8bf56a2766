import pg from 'pg';
import type { SessionAccess } from '../../../operator/engines/postgres/postgres-session.js';

type Login = Pick<SessionAccess, 'username' | 'password'>;

/** What the clients have done. */
export interface Tally {
  logins: number;
  failedLogins: number;
  statements: number;
  failedStatements: number;
  readonly errors: string[];
}

/**
 * Pods of a workload. Each one reads the Secret when it starts, and logs in again and again with what it read. A rollout
 * replaces one after the other.
 */
export class RotatingClients {
  readonly tally: Tally = { logins: 0, failedLogins: 0, statements: 0, failedStatements: 0, errors: [] };
  readonly #pods: { login: Login; hash: string }[] = [];
  #rollout: { login: Login; hash: string } | undefined;
  #isStopped = false;
  #running: Promise<void>[] = [];

  constructor(readonly server: Omit<SessionAccess, 'username' | 'password'>) {}

  start(pods: number, login: Login, hash: string): void {
    for (let at = 0; at < pods; at++) {
      const pod = { login, hash };
      this.#pods.push(pod);
      this.#running.push(this.#run(pod));
    }
  }

  /** Replaces the Pods, each when its present session ends. */
  roll(login: Login, hash: string): void {
    this.#rollout = { login, hash };
  }

  /** The content that every Pod has. Undefined while they differ. */
  get hash(): string | undefined {
    const [first] = this.#pods;
    return this.#pods.every(({ hash }) => hash === first?.hash) ? first?.hash : undefined;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#running);
  }

  async #run(pod: { login: Login; hash: string }): Promise<void> {
    while (!this.#isStopped) {
      await this.#session(pod.login);
      const isNext = this.#pods.find(({ hash }) => hash !== this.#rollout?.hash) === pod;
      if (this.#rollout && isNext) Object.assign(pod, this.#rollout);
    }
  }

  async #session({ username, password }: Login): Promise<void> {
    const { host, port, database, authority } = this.server;
    const ssl = { ca: authority ?? '' };
    const client = new pg.Client({ host, port, database, user: username, password, ssl });
    client.on('error', () => {});
    this.tally.logins++;
    try {
      await client.connect();
    } catch (error) {
      this.tally.failedLogins++;
      this.tally.errors.push(`${username}: ${String(error)}`);
      return;
    }
    for (let n = 0; n < 3; n++) {
      this.tally.statements++;
      try {
        await client.query('INSERT INTO written (by) VALUES (session_user)');
      } catch (error) {
        this.tally.failedStatements++;
        this.tally.errors.push(`${username}: ${String(error)}`);
      }
    }
    await client.end();
  }
}
