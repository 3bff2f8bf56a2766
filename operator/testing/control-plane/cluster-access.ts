import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CertificateAuthority, type CertifiedKey, type Subject } from '../../certificates/authority.js';
import { type AuditedRequest, AuditLog } from './audit-log.js';
import { files } from './component-flags.js';
import { type KubeconfigProps, kubeconfig } from './kubeconfig.js';

/** Where a running control plane is: plain data, so that one process can tell another. */
export interface ClusterLocation {
  /** Its data folder. */
  readonly folder: string;
  /** Address of its API server. */
  readonly url: string;
  /** The kubectl that belongs to it: the program and its first arguments. */
  readonly kubectl: readonly string[];
  /** Whether it writes an audit log. */
  readonly audit: boolean;
}

/** Who a user is to the API server. */
export interface ClusterUser {
  readonly name: string;
  /** @default none */
  readonly groups?: readonly string[];
}

/** How a run of kubectl differs from an administrator's without input. */
export interface KubectlOptions {
  /** Path of the kubeconfig to act with. @default the administrator's */
  readonly kubeconfig?: string;
  /** What the command reads from its standard input, such as the objects of `apply -f -`. @default nothing */
  readonly input?: string;
}

/** What a run of kubectl left. */
export interface KubectlResult {
  readonly stdout: string;
  readonly stderr: string;
  /** Exit code. */
  readonly code: number;
}

/**
 * What an administrator does with a running control plane: from the process that started it, or, by its location,
 * from any other process of the same user.
 */
export class ClusterAccess {
  /** Path of an administrator's kubeconfig, with the certificates inline. */
  readonly kubeconfig: string;
  /** Path of the certificate that the API server's certificate is verified with, PEM. */
  readonly caFile: string;

  constructor(readonly location: ClusterLocation) {
    this.kubeconfig = join(location.folder, files.adminKubeconfig);
    this.caFile = join(location.folder, files.authority);
  }

  /** Address of the API server. */
  get url(): string {
    return this.location.url;
  }

  /**
   * Path of the audit log: one JSON object a line, level `Metadata`, for each request at its end, and for a watch at
   * its start too.
   *
   * @throws {Error} when the control plane was started without `audit`
   */
  get auditLog(): string {
    if (this.location.audit) return join(this.location.folder, files.auditLog);
    throw new Error('this control plane keeps no audit log: start it with { audit: true }');
  }

  /**
   * The requests that the API server has answered.
   *
   * @param since a position from {@link auditPosition}. @default the beginning
   */
  async requests(since = 0): Promise<readonly AuditedRequest[]> {
    return new AuditLog(this.auditLog).requests(since);
  }

  /** Where the audit log ends now, for {@link requests} to begin at. */
  async auditPosition(): Promise<number> {
    return new AuditLog(this.auditLog).length();
  }

  /** Makes a user with a client certificate, who has no rights but those that RBAC gives. @returns a kubeconfig's path */
  async addUser({ name, groups = [] }: ClusterUser): Promise<string> {
    return this.#writeKubeconfig(name, await this.issue({ commonName: name, organizations: groups }));
  }

  /** A certificate of the authority that everybody in this cluster trusts: for a user, or for a server beside it. */
  async issue(subject: Subject): Promise<CertifiedKey> {
    const certificate = await readFile(this.caFile, 'utf8');
    const key = await readFile(join(this.location.folder, files.authorityKey), 'utf8');
    return new CertificateAuthority({ certificate, key }).issue(subject);
  }

  /**
   * Makes a token of a service account, as a Pod would have it. @returns a kubeconfig's path
   *
   * @param account `minutes` for how long it is good, an hour if nothing else is said
   * @throws {Error} when there is no such service account
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
    if (code !== 0) throw new Error(`no token of the service account ${namespace}/${name}: ${stderr.trim()}`);
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
      child.stdin?.on('error', () => {}); // a command that does not read its input closes it
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
