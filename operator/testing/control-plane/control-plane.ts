import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ControllerManagerMode, findBinaries } from '../binaries/find-binaries.js';
import type { ApiServer } from './api-server.js';
import { boot } from './boot.js';
import { ClusterAccess } from './cluster-access.js';
import type { Flags } from './component-flags.js';
import { RunningComponents } from './running-components.js';

/** Options of a control plane. */
export interface ControlPlaneOptions {
  /** Keeps an audit log of every request. @default false */
  readonly audit?: boolean;
  /** Runs a scheduler. There are no nodes to bind Pods to. @default false */
  readonly scheduler?: boolean;
  /**
   * Whether a controller manager runs. Without it, for example garbage collection, Deployments and service accounts do
   * not work. `required` searches for binaries until it is included. `preferred` runs without it if the local sources
   * lack it and the binaries of the next source do too. `none` does not start it.
   *
   * @default 'required'
   */
  readonly controllerManager?: ControllerManagerMode;
  /** Flags of the API server that extend or override the default ones, without dashes. @default {} */
  readonly apiServerFlags?: Flags;
  /** Flags of the controller manager that extend or override the default ones, without dashes. @default {} */
  readonly controllerManagerFlags?: Flags;
  /** Timeout for each component to become ready, in seconds. @default 60 */
  readonly timeoutSeconds?: number;
  /**
   * URL of the index of envtest's releases, for the download of binaries.
   *
   * @default the environment variable `RECONSTRUCT_ENVTEST_INDEX`, or the index that envtest publishes
   */
  readonly archiveIndex?: string;
  /** Environment of the search for binaries: `KUBEBUILDER_ASSETS`, `XDG_CACHE_HOME` and others. @default process.env */
  readonly env?: Readonly<NodeJS.ProcessEnv>;
  /** Receives messages about progress and missing components. @default writes them to standard error */
  readonly say?: (line: string) => void;
}

/**
 * A real Kubernetes control plane on this machine: etcd, API server and controller manager, with TLS, RBAC and Pod
 * Security, but without nodes.
 *
 * Guarantees: several can run at once, each with its own port, certificates and temporary folder. Nothing of it outlives
 * this process, even if that is killed with SIGKILL. It listens only on 127.0.0.1.
 *
 * Caveats: like a listening server, it keeps this process alive until {@link stop}. It requires a POSIX shell.
 *
 * @example
 * await using controlPlane = await ControlPlane.start();
 * await controlPlane.kubectl(['get', 'namespaces']);
 */
export class ControlPlane extends ClusterAccess implements AsyncDisposable {
  readonly #components: RunningComponents;
  readonly #apiServer: ApiServer;

  private constructor(components: RunningComponents, apiServer: ApiServer, audit: boolean) {
    const { folder, binaries } = components;
    super({ folder, url: apiServer.url, kubectl: binaries.kubectl ?? ['kubectl'], audit });
    this.#components = components;
    this.#apiServer = apiServer;
  }

  /**
   * Starts a control plane, and resolves when its API server is ready and the default service account exists.
   *
   * @throws {Error} if no binaries are found, or with the end of the log of the component that fails
   */
  static async start(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
    const { audit = false, scheduler = false, controllerManager = 'required', timeoutSeconds = 60 } = options;
    const binaries = await findBinaries({ ...options, scheduler, controllerManager });
    const components = new RunningComponents(await mkdtemp(join(tmpdir(), 'reconstruct-')), binaries);
    try {
      const apiServer = await boot(components, {
        audit,
        scheduler,
        controllerManager: controllerManager !== 'none' && binaries['kube-controller-manager'] !== undefined,
        apiServerFlags: options.apiServerFlags ?? {},
        controllerManagerFlags: options.controllerManagerFlags ?? {},
        timeoutSeconds,
      });
      return new ControlPlane(components, apiServer, audit);
    } catch (error) {
      await components.dispose();
      throw error;
    }
  }

  /** Kills the API server with SIGKILL. Its state remains in etcd. */
  async killApiServer(): Promise<void> {
    await this.#apiServer.kill();
  }

  /** Restarts the API server with the same state at the same address, and resolves when it is ready. */
  async startApiServer(): Promise<void> {
    await this.#apiServer.start();
  }

  /** Stops all components and deletes their data. A second call has no effect. */
  async stop(): Promise<void> {
    await this.#components.dispose();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
