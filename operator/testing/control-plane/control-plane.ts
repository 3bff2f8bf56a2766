import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import './async-disposable.js';
import { type ControllerManagerMode, findBinaries } from '../binaries/find-binaries.js';
import { SimulatedNodes } from '../nodes/simulated-nodes.js';
import type { ApiServer } from './api-server.js';
import { boot } from './boot.js';
import { ClusterAccess } from './cluster-access.js';
import { type Flags, simulatedNodesFlags } from './component-flags.js';
import { RunningComponents } from './running-components.js';

const mostNodes = 1000;

/** Options of a control plane. */
export interface ControlPlaneOptions {
  /** Keeps an audit log of every request. @default false */
  readonly audit?: boolean;
  /** Runs a scheduler. @default - only with `nodes` */
  readonly scheduler?: boolean;
  /**
   * The number of simulated nodes, over three zones. Pods on them become Running and Ready, but no container runs.
   *
   * @default 0
   * @see SimulatedNodes
   */
  readonly nodes?: number;
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
 * Security. It has no nodes, or simulated ones.
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
  #nodes: SimulatedNodes | undefined;

  private constructor(components: RunningComponents, apiServer: ApiServer, audit: boolean) {
    const { folder, binaries } = components;
    super({ folder, url: apiServer.url, kubectl: binaries.kubectl ?? ['kubectl'], audit });
    this.#components = components;
    this.#apiServer = apiServer;
  }

  /**
   * Starts a control plane, and resolves when its API server is ready, the default service account exists, and its
   * nodes accept Pods.
   *
   * @throws {Error} if no binaries are found, or with the end of the log of the component that fails
   */
  static async start(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
    const { nodes = 0, audit = false, controllerManager = 'required', timeoutSeconds = 60 } = options;
    if (!Number.isInteger(nodes) || nodes < 0 || nodes > mostNodes) {
      throw new Error(`nodes: Invalid value: ${nodes}: must be an integer from 0 to ${mostNodes}`);
    }
    const { scheduler = nodes > 0 } = options;
    const binaries = await findBinaries({ ...options, scheduler, controllerManager });
    const components = new RunningComponents(await mkdtemp(join(tmpdir(), 'reconstruct-')), binaries);
    try {
      const apiServer = await boot(components, {
        audit,
        scheduler,
        controllerManager: controllerManager !== 'none' && binaries['kube-controller-manager'] !== undefined,
        apiServerFlags: options.apiServerFlags ?? {},
        controllerManagerFlags: { ...(nodes > 0 && simulatedNodesFlags), ...options.controllerManagerFlags },
        timeoutSeconds,
      });
      const controlPlane = new ControlPlane(components, apiServer, audit);
      if (nodes > 0) await controlPlane.#addNodes(nodes);
      return controlPlane;
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
    await this.#nodes?.stop();
    this.#nodes = undefined;
    await this.#components.dispose();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** The requests of the nodes have a user of their own in the audit log. */
  async #addNodes(count: number): Promise<void> {
    const user = await this.addUser({ name: 'simulated-nodes', groups: ['system:masters'] });
    this.#nodes = await SimulatedNodes.start(user, count);
  }
}
