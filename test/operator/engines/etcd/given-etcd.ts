import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { etcdClusterSpec, withDefaults } from '../../../../crds/index.js';
import { CertificateAuthority } from '../../../../operator/certificates/authority.js';
import {
  type EtcdAnswer,
  type EtcdQuestion,
  type EtcdRequest,
  etcdCluster,
} from '../../../../operator/controllers/etcd/ports/cluster.js';
import { openEtcd } from '../../../../operator/engines/etcd/open-etcd.js';
import type { Cluster } from '../../../../operator/runtime/ports/cluster.js';
import type { Perform, Provided, SecretData, Source } from '../../../../operator/runtime/ports/external-port.js';
import { freePort } from '../../../../operator/testing/control-plane/free-port.js';
import { GuardedProcess } from '../../../../operator/testing/control-plane/guarded-process.js';
import { etcdArguments, etcdFolders } from '../../../../src/etcd/objects/arguments.js';
import type { EtcdFirstStart as FirstStart } from '../../../../src/index.js';

/** Why the tests are skipped, if they are. */
export const etcdAbsence = ['etcd', 'etcdctl'].every((program) =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program))),
)
  ? undefined
  : "the tests of etcd require Debian's etcd-server and etcd-client: apt-get install them";

type Change = EtcdRequest extends infer R ? (R extends unknown ? Omit<R, keyof EtcdQuestion> : never) : never;

const named = { name: 'store', namespace: 'shop' };
const spec = withDefaults(etcdClusterSpec, {});

/** One member: a real etcd on loopback, with the arguments of its Pod. It does not outlive this process. */
class GivenMember {
  process: GuardedProcess | undefined;

  constructor(
    readonly name: string,
    /** Contains the folders of the volume and of the certificate. */
    readonly folder: string,
    readonly ports: Readonly<Record<'client' | 'peer' | 'metrics', number>>,
  ) {}

  get endpoint(): string {
    return `https://127.0.0.1:${this.ports.client}`;
  }

  get peerUrl(): string {
    return `https://127.0.0.1:${this.ports.peer}`;
  }
}

/** An etcd cluster of this machine, and the engine that asks it. */
export class GivenEtcd {
  readonly #members = new Map<string, GivenMember>();
  /** The data of the Secret of the operator. */
  secret: SecretData;
  readonly #opened = openEtcd({
    cluster: {
      read: async () => {
        const data = Object.entries(this.secret).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
        return { data: Object.fromEntries(data) };
      },
    } as unknown as Pick<Cluster, 'read'>,
  });

  private constructor(
    readonly authority: CertificateAuthority,
    secret: SecretData,
  ) {
    this.secret = secret;
  }

  /** A cluster of new members, `store-1` to `store-SIZE`. */
  static async start(size: number): Promise<GivenEtcd> {
    const authority = await CertificateAuthority.create(1);
    const etcd = new GivenEtcd(authority, await secretOf(authority, 'store-operator'));
    const names = Array.from({ length: size }, (_, index) => `store-${index + 1}`);
    for (const name of names) await etcd.create(name);
    for (const name of names) await etcd.run(name, { state: 'new', members: names });
    await etcd.until(({ hasQuorum, members }) => hasQuorum && members.every(({ isHealthy }) => isHealthy));
    return etcd;
  }

  /** A member that is not started. @param commonName that of its certificate */
  async create(name: string, commonName = 'store-member'): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), `etcd-${name}-`));
    const ports = { client: await freePort(), peer: await freePort(), metrics: await freePort() };
    const { certificate, key } = await this.authority.issue({
      commonName,
      hosts: ['*.store-peers.shop.svc', 'localhost', '127.0.0.1'],
    });
    await mkdir(join(folder, 'tls'));
    await mkdir(join(folder, 'volume'));
    const files = { 'tls.crt': certificate, 'tls.key': key, 'ca.crt': this.authority.own.certificate };
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, 'tls', file), text);
    this.#members.set(name, new GivenMember(name, folder, ports));
  }

  /** Starts a member, whose volume it keeps. */
  async run(name: string, firstStart?: FirstStart): Promise<void> {
    const member = this.member(name);
    const image = 'etcd';
    const own = { ...named, member: name, spec, image, token: 'uid', ...(firstStart && { firstStart }) };
    const command = ['etcd', ...etcdArguments(own).map((argument) => this.#placed(argument, member))];
    member.process = new GuardedProcess({ name, command, folder: member.folder });
  }

  /** The arguments of a Pod on this machine: other folders, and one port for each address. */
  #placed(argument: string, own: GivenMember): string {
    const local = argument
      .replaceAll(etcdFolders.tls, join(own.folder, 'tls'))
      .replaceAll(etcdFolders.volume, join(own.folder, 'volume'))
      .replaceAll('0.0.0.0:2379', `127.0.0.1:${own.ports.client}`)
      .replaceAll('0.0.0.0:2380', `127.0.0.1:${own.ports.peer}`)
      .replaceAll('0.0.0.0:2381', `127.0.0.1:${own.ports.metrics}`);
    return [...this.#members.values()].reduce(
      (text, { name, ports }) =>
        text
          .replaceAll(`${name}.store-peers.shop.svc:2380`, `127.0.0.1:${ports.peer}`)
          .replaceAll(`${name}.store-peers.shop.svc:2379`, `127.0.0.1:${ports.client}`),
      local,
    );
  }

  member(name: string): GivenMember {
    const member = this.#members.get(name);
    if (!member) throw new Error(`no member ${name}`);
    return member;
  }

  /** Ends members with SIGKILL, and keeps their volumes. */
  async kill(...names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.member(name).process?.kill()));
  }

  /** Deletes the data of a member that does not run. */
  async wipe(name: string): Promise<void> {
    await rm(join(this.member(name).folder, 'volume'), { recursive: true });
    await mkdir(join(this.member(name).folder, 'volume'));
  }

  /** A member that is no more. */
  async discard(name: string): Promise<void> {
    const { process, folder } = this.member(name);
    await process?.dispose();
    await rm(folder, { recursive: true, force: true });
    this.#members.delete(name);
  }

  get access(): EtcdQuestion {
    const endpoints = [...this.#members.values()].map(({ endpoint }) => endpoint);
    return { cluster: 'uid', namespace: 'shop', secret: 'store-operator-tls', endpoints };
  }

  get provided(): Provided {
    const [provided] = this.#opened.provided;
    if (provided?.port.name !== etcdCluster.name) throw new Error('no port');
    return provided;
  }

  ask(signal: AbortSignal = AbortSignal.timeout(15_000)): Promise<EtcdAnswer> {
    const source = this.provided.source as unknown as Source<EtcdQuestion, EtcdAnswer>;
    return source(this.access, { signal });
  }

  change(change: Change, mayLeave: () => void = () => {}): Promise<unknown> {
    const perform = this.provided.performer?.perform as Perform<EtcdRequest>;
    return perform({ ...this.access, ...change } as EtcdRequest, { signal: AbortSignal.timeout(20_000), mayLeave });
  }

  /** Like {@link change}, again while etcd refuses it for now. @returns milliseconds until it was accepted */
  async changeInTime(change: Change): Promise<number> {
    const began = performance.now();
    for (;;) {
      try {
        await this.change(change);
        return performance.now() - began;
      } catch (error) {
        const isForNow = (error as { kind?: string }).kind === 'retryable' && performance.now() - began < 30_000;
        if (!isForNow) throw error;
        await pause(100);
      }
    }
  }

  /** The first answer that is so. */
  async until(isSo: (answer: EtcdAnswer) => boolean): Promise<EtcdAnswer> {
    for (const end = performance.now() + 60_000; ; ) {
      const answer = await this.ask().catch((error: Error) => error);
      if (!(answer instanceof Error) && isSo(answer)) return answer;
      if (performance.now() > end)
        throw new Error(`not in time: ${answer instanceof Error ? answer.message : JSON.stringify(answer)}`);
      await pause(50);
    }
  }

  /** The ID of a member by its name. */
  async idOf(name: string): Promise<string> {
    const { members } = await this.ask();
    const { peerUrl } = this.member(name);
    const found = members.find(({ peerUrls }) => peerUrls.includes(peerUrl));
    if (!found) throw new Error(`etcd has no member ${name}`);
    return found.id;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.close();
    await Promise.all([...this.#members.values()].map(({ process }) => process?.dispose()));
    await Promise.all([...this.#members.values()].map(({ folder }) => rm(folder, { recursive: true, force: true })));
  }
}

/** The Secret of a client. */
export async function secretOf(authority: CertificateAuthority, commonName: string): Promise<SecretData> {
  const { certificate, key } = await authority.issue({ commonName });
  return { 'tls.crt': certificate, 'tls.key': key, 'ca.crt': authority.own.certificate };
}
