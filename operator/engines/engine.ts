import type { Server } from 'node:http';
import type { Config } from '../config/config.js';
import type { AllowedAddresses } from '../egress/allowed-addresses.js';
import type { Clock } from '../runtime/ports/clock.js';
import type { Cluster } from '../runtime/ports/cluster.js';
import type { Provided } from '../runtime/ports/external-port.js';
import type { PodLogs } from '../runtime/ports/pod-logs.js';

/**
 * A client of a system outside of the cluster, or of what controllers ask the API server. The folder of an engine imports
 * nothing from here: its `open` names the parts of the environment that it needs, and the list of engines checks them.
 */
export interface Engine {
  /** The name of its folder. */
  readonly name: string;
  /** Connects to nothing and loads no client library. Both happen at the first question, because a kind may not be used. */
  open(environment: EngineEnvironment): OpenEngine;
}

/** What the operator gives to its engines. */
export interface EngineEnvironment {
  readonly config: Config;
  readonly cluster: Cluster;
  readonly podLogs: PodLogs;
  readonly clock: Clock;
  /** The addresses that users may write into resources. The operator closes its connections. */
  readonly addresses: AllowedAddresses;
}

/** An engine of a running operator. */
export interface OpenEngine {
  /** The sources of ports. */
  readonly provided: readonly Provided[];
  /** @default - no client connects to the engine */
  readonly servers?: readonly EngineServer[];
  /**
   * Closes the connections, after the last reconcile. The connection to the API server is still open.
   * @default - nothing stays connected
   */
  close?(): Promise<void>;
}

/** An HTTP server that the operator lets listen while it runs. */
export interface EngineServer {
  /** It is not listening yet. */
  readonly server: Server;
  readonly port: number;
}

/** Opens engines, in their order. */
export function openEngines(engines: readonly Engine[], environment: EngineEnvironment): Required<OpenEngine> {
  const opened = engines.map((engine) => engine.open(environment));
  return {
    provided: opened.flatMap(({ provided }) => provided),
    servers: opened.flatMap(({ servers = [] }) => servers),
    close: async () => void (await Promise.all(opened.map((engine) => engine.close?.()))),
  };
}
