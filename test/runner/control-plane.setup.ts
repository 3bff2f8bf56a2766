import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { messageOf } from '../../operator/runtime/kubernetes/errors.js';
import { ControlPlane } from '../../operator/testing/index.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL below which the control plane of each worker is asked for by the worker's number. */
    readonly controlPlanes: string;
  }
}

/**
 * Controllers that no test requires: without a metrics API an autoscaler reports that it cannot scale, every few seconds
 * and for each of the hundreds that earlier files leave; and nobody reads Endpoints.
 */
const controllerManagerFlags = { controllers: '*,-horizontal-pod-autoscaler-controller,-endpoints-controller' };

/**
 * Gives each worker a control plane of its own, with an audit log: the files that a worker runs one after another share
 * it. The first starts at once, since it builds the programs where they are missing; the others when a worker asks.
 * Returns what stops them all.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const start = () => ControlPlane.start({ audit: true, controllerManagerFlags });
  const started = new Map([['/1', Promise.resolve(await start())]]);
  const server = createServer(async ({ url = '' }, response) => {
    try {
      const controlPlane = started.get(url) ?? start();
      started.set(url, controlPlane);
      response.end(JSON.stringify((await controlPlane).location));
    } catch (error) {
      response.writeHead(500).end(messageOf(error));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  project.provide('controlPlanes', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    const all = await Promise.allSettled(started.values());
    await Promise.all(all.map((one) => one.status === 'fulfilled' && one.value.stop()));
  };
}
