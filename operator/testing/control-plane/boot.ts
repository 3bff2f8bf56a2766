import { ApiServer } from './api-server.js';
import {
  apiServerFlags,
  auditFlags,
  controllerManagerFlags,
  etcdFlags,
  type Flags,
  schedulerFlags,
  withoutControllerManagerFlags,
} from './component-flags.js';
import { builtInUsers, writeKubeconfigs, writeServerFiles } from './data-folder.js';
import { freePort } from './free-port.js';
import type { RunningComponents } from './running-components.js';

const portAttempts = 5;

/** The components of a control plane, and the timeout of their start. */
export interface BootSettings {
  readonly audit: boolean;
  readonly scheduler: boolean;
  readonly controllerManager: boolean;
  /** Flags that extend or override the default ones. */
  readonly apiServerFlags: Flags;
  /** Flags that extend or override the default ones. */
  readonly controllerManagerFlags: Flags;
  readonly timeoutSeconds: number;
}

/** Starts the components of a control plane, and resolves when they are ready. */
export async function boot(components: RunningComponents, settings: BootSettings): Promise<ApiServer> {
  components.start('etcd', etcdFlags);
  const authority = await writeServerFiles(components.folder);
  const users = await builtInUsers(authority);
  const { own } = authority;
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const server = new ApiServer(components, {
      port,
      flags: serverFlags(port, settings),
      authority: own.certificate,
      admin: users.admin,
      timeoutSeconds: settings.timeoutSeconds,
    });
    try {
      await writeKubeconfigs(components.folder, { url: server.url, authority: own.certificate }, users);
      await server.start();
      await startControllers(components, settings, server);
      return server;
    } catch (error) {
      // Another process may have taken the port since it was found free.
      const taken = String(error).includes(`127.0.0.1:${port}: bind: address already in use`);
      if (!taken || attempt === portAttempts) throw error;
    }
  }
}

async function startControllers(components: RunningComponents, settings: BootSettings, server: ApiServer) {
  if (settings.scheduler) components.start('kube-scheduler', schedulerFlags);
  if (!settings.controllerManager) return;
  components.start('kube-controller-manager', { ...controllerManagerFlags, ...settings.controllerManagerFlags });
  // Without this service account, Pods are not admitted.
  await server.untilFound('/api/v1/namespaces/default/serviceaccounts/default');
}

function serverFlags(port: number, settings: BootSettings): Flags {
  return {
    ...apiServerFlags(port),
    ...(settings.audit ? auditFlags : {}),
    ...(settings.controllerManager ? {} : withoutControllerManagerFlags),
    ...settings.apiServerFlags,
  };
}
