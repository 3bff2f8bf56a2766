import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CertificateAuthority, type CertifiedKey, type Subject } from '../../certificates/authority.js';
import { type AuditedRequest, AuditLog } from './audit-log.js';
import { files } from './component-flags.js';
import { type KubeconfigProps, kubeconfig } from './kubeconfig.js';

/** The location of a running control plane. Plain data, so that it can be passed between processes. */
export interface ClusterLocation {
  /** Data folder of the control plane. */
  readonly folder: string;
  /** URL of its API server. */
  readonly url: string;
  /** Its kubectl: the program and its first arguments. */
  readonly kubectl: readonly string[];
  /** Whether it writes an audit log. */
  readonly audit: boolean;
}

/** The identity of a user. */
export interface ClusterUser {
  readonly name: string;
  /** @default none */
  readonly groups?: readonly string[];
}

/** Options of a run of kubectl. */
export interface KubectlOptions {
  /** Path of the kubeconfig. @default that of the administrator */
  readonly kubeconfig?: string;
  /** Standard input of the command, such as the objects of `apply -f -`. @default - empty */
  readonly input?: string;
}

/** The result of a run of kubectl. */
export interface KubectlResult {
  readonly stdout: string;
  readonly stderr: string;
  /** Exit code. */
  readonly code: number;
}

/**
 * Administrator access to a running control plane, from the process that started it, or by its location from any other
 * process of the same user.
 */
export class ClusterAccess {
  /** Path of the administrator's kubeconfig, with inline certificates. */
  readonly kubeconfig: string;
  /** Path of the CA certificate of the API server, PEM. */
  readonly caFile: string;
  #auditLog: AuditLog | undefined;

  constructor(readonly location: ClusterLocation) {
    this.kubeconfig = join(location.folder, files.adminKubeconfig);
    this.caFile = join(location.folder, files.authority);
  }

  /** URL of the API server. */
  get url(): string {
    return this.location.url;
  }

  /**
   * Path of the audit log. It has one JSON object per line at level `Metadata` for the end of each request, and for the
   * start of each watch.
   *
   * @throws {Error} if the control plane was started without `audit`
   */
  get auditLog(): string {
    if (this.location.audit) return join(this.location.folder, files.auditLog);
    throw new Error('this control plane has no audit log; start it with { audit: true }');
  }

  /**
   * The requests that the API server has answered.
   *
   * @param since a position from {@link auditPosition}. @default the beginning
   */
  async requests(since = 0): Promise<readonly AuditedRequest[]> {
    return this.#log().requests(since);
  }

  /** The current end of the audit log, as a start for {@link requests}. */
  async auditPosition(): Promise<number> {
    return this.#log().length();
  }

  #log(): AuditLog {
    this.#auditLog ??= new AuditLog(this.auditLog);
    return this.#auditLog;
  }

  /** Creates a user with a client certificate and only RBAC permissions. @returns path of the kubeconfig */
  async addUser({ name, groups = [] }: ClusterUser): Promise<string> {
    return this.#writeKubeconfig(name, await this.issue({ commonName: name, organizations: groups }));
  }

  /** Issues a certificate of the cluster's CA, for a user or for a server beside the API server. */
  async issue(subject: Subject): Promise<CertifiedKey> {
    const certificate = await readFile(this.caFile, 'utf8');
    const key = await readFile(join(this.location.folder, files.authorityKey), 'utf8');
    return new CertificateAuthority({ certificate, key }).issue(subject);
  }

  /**
   * Creates a token of a service account, like that of a Pod. @returns path of the kubeconfig
   *
   * @param account `minutes` is the lifetime of the token, by default 60
   * @throws {Error} if the service account does not exist
   */
  async serviceAccountKubeconfig({
    namespace,
    name,
    minutes = 60,
  }: {
    readonly namespace: string;
    readonly name: string;
    readonly minutes?: number;
  }): Promise<string> {
    const asked = ['create', 'token', name, '--namespace', namespace, `--duration=${minutes}m`];
    const { stdout, stderr, code } = await this.kubectl(asked);
    if (code !== 0) throw new Error(`no token for service account ${namespace}/${name}: ${stderr.trim()}`);
    return this.#writeKubeconfig(`${namespace}-${name}`, { token: stdout.trim() });
  }

  /** Runs the real kubectl. A refusal is a result, not an error. */
  kubectl(
    args: readonly string[],
    { kubeconfig = this.kubeconfig, input = '' }: KubectlOptions = {},
  ): Promise<KubectlResult> {
    const [program = '', ...first] = this.location.kubectl;
    return new Promise((resolve, reject) => {
      const env = { ...process.env, KUBECONFIG: kubeconfig };
      const child = execFile(program, [...first, ...args], { env, maxBuffer: Infinity }, (error, stdout, stderr) => {
        if (error === null) return resolve({ stdout, stderr, code: 0 });
        return typeof error.code === 'number' ? resolve({ stdout, stderr, code: error.code }) : reject(error);
      });
      child.stdin?.on('error', () => {}); // a command that does not read its standard input closes it
      child.stdin?.end(input);
    });
  }

  async #writeKubeconfig(user: string, credentials: KubeconfigProps['credentials']): Promise<string> {
    const path = join(this.location.folder, `${encodeURIComponent(user)}-${randomUUID()}.kubeconfig`);
    const authority = await readFile(this.caFile, 'utf8');
    await writeFile(path, kubeconfig({ url: this.url, authority, user, credentials }), { mode: 0o600 });
    return path;
  }
}
