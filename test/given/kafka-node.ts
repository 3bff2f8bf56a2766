import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CertifiedKey } from '../../operator/certificates/authority.js';
import { GuardedProcess } from '../../operator/testing/control-plane/guarded-process.js';

/** A certificate with its key and the authority that clients trust, in PEM. */
export interface Identity extends CertifiedKey {
  readonly ca: string;
}

/** What a Pod gives to the launcher. */
export interface KafkaNodeProps {
  readonly role: 'broker' | 'controller';
  readonly id: number;
  /** The folder with the jars. */
  readonly jars: string;
  readonly clusterId: string;
  /** The lines of the ConfigMap and those of the node. `DATA` and `RUN` in them are its folders. */
  readonly properties: { readonly shared: readonly string[]; readonly own: readonly string[] };
  /** Secrets with certificates, by the name of their folder. */
  readonly identities: Readonly<Record<string, Identity>>;
  /** Environment variables of the launcher beside those of every node. @default - none */
  readonly env?: Readonly<Record<string, string>>;
}

const launcher = join(import.meta.dirname, '../../images/kafka/bin/kafka-node');

/** Options of Java for a quick start. They make a node slower in the long run. */
const quickStart = '-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto';

/** A broker or controller as processes on this machine, which the image's launcher starts. Its volume survives restarts. */
export class KafkaNode {
  #process: GuardedProcess | undefined;
  #revision = 0;

  private constructor(
    readonly props: KafkaNodeProps,
    /** Contains the folders `settings`, `run` and `data`, the log and the termination message. */
    readonly folder: string,
  ) {}

  /** A node that is not started. */
  static async create(props: KafkaNodeProps): Promise<KafkaNode> {
    const node = new KafkaNode(props, await mkdtemp(join(tmpdir(), `kafka-${props.id}-`)));
    const shared = props.properties.shared.map((line) => `${node.#placed(line)}\n`);
    await mkdir(join(node.folder, 'settings', 'tls'), { recursive: true });
    await writeFile(join(node.folder, 'settings', `${props.role}.properties`), shared.join(''));
    for (const [name, identity] of Object.entries(props.identities)) await node.mount(name, identity);
    return node;
  }

  get running(): boolean {
    return this.#process?.running ?? false;
  }

  /** Puts files of a Secret into the folder of a certificate, all at once, as the kubelet does. */
  async mount(name: string, { certificate, key, ca }: Identity): Promise<void> {
    const volume = join(this.folder, 'settings', 'tls', name);
    const revision = `..${++this.#revision}`;
    await mkdir(join(volume, revision), { recursive: true });
    for (const [file, text] of Object.entries({ 'tls.crt': certificate, 'tls.key': key, 'ca.crt': ca })) {
      await writeFile(join(volume, revision, file), text);
      if (!existsSync(join(volume, file))) await symlink(join('..data', file), join(volume, file));
    }
    await symlink(revision, join(volume, '..next'));
    await rename(join(volume, '..next'), join(volume, '..data'));
  }

  /** Starts the launcher, and does not wait for the node. @param env replaces variables of its environment */
  async launch(env: Readonly<Record<string, string>> = {}): Promise<void> {
    const { folder, props } = this;
    await rm(join(folder, 'message'), { force: true });
    const own = props.properties.own.map((line) => `${this.#placed(line)}\n`);
    const variables = {
      KAFKA_JARS: props.jars,
      KAFKA_SETTINGS: join(folder, 'settings'),
      KAFKA_RUN: join(folder, 'run'),
      KAFKA_DATA: join(folder, 'data'),
      KAFKA_MESSAGES: join(folder, 'message'),
      KAFKA_LOGGING: join(launcher, '../../log4j2.yaml'),
      KAFKA_METRICS_RULES: '',
      KAFKA_HEAP_MB: props.role === 'broker' ? '256' : '128',
      KAFKA_JVM_OPTIONS: quickStart,
      KAFKA_ROLE: props.role,
      KAFKA_CLUSTER_ID: props.clusterId,
      KAFKA_NODE_PROPERTIES: own.join(''),
      ...props.env,
      ...env,
    };
    // The launcher of a broker becomes Java, with the process ID of this shell. The one of a controller starts it: as in a
    // container, both end together.
    const recorded = 'echo $$ >pid && exec "$@"';
    this.#process = new GuardedProcess({
      name: 'node',
      folder,
      command: [
        ...['setsid', '/usr/bin/env', ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)],
        ...['/bin/sh', '-c', recorded, 'sh', launcher],
      ],
    });
  }

  /** Starts the node and waits until it serves. @param env see {@link launch} @throws {Error} with its last lines if it ends */
  async start(env: Readonly<Record<string, string>> = {}): Promise<void> {
    const before = existsSync(join(this.folder, 'node.log')) ? (await this.log()).length : 0;
    await this.launch(env);
    while (!(await this.log()).slice(before).includes('Kafka Server started')) {
      if (!this.running) throw new Error(`node ${this.props.id} ended: ${await this.#process?.lastLines(25)}`);
      await pause(50);
    }
  }

  /** Ends it as the kubelet does. @returns the exit code */
  async stop(): Promise<number> {
    if (this.running) process.kill(Number(await readFile(join(this.folder, 'pid'), 'utf8')), 'SIGTERM');
    return this.exited();
  }

  /** Kills it with SIGKILL. Its volume stays. */
  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  /** The exit code, once it has ended. */
  async exited(): Promise<number> {
    if (!this.#process) throw new Error(`node ${this.props.id} was never started`);
    return this.#process.exited;
  }

  log(): Promise<string> {
    return readFile(join(this.folder, 'node.log'), 'utf8');
  }

  /** Its termination message. Empty if it has left none. */
  message(): Promise<string> {
    return readFile(join(this.folder, 'message'), 'utf8').catch(() => '');
  }

  /** Kills it and deletes its volume. */
  async dispose(): Promise<void> {
    await this.#process?.dispose();
    // The launcher's loop may still write into it, once.
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #placed(line: string): string {
    return line.replaceAll('DATA', join(this.folder, 'data')).replaceAll('RUN', join(this.folder, 'run'));
  }
}
