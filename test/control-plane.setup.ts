import type { TestProject } from 'vitest/node';
import { type ClusterLocation, ControlPlane } from '../operator/testing/index.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The control plane that all integration tests of a run share. */
    readonly controlPlane: ClusterLocation;
  }
}

/** Starts the control plane of a run, with an audit log, and returns its end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const controlPlane = await ControlPlane.start({ audit: true });
  project.provide('controlPlane', controlPlane.location);
  return () => controlPlane.stop();
}
