import { kubectl } from './kubectl.js';

/** Installs what users install: `dist/`, with the image that `npm run images` has brought. */
export async function install(): Promise<void> {
  await kubectl(['apply', '--server-side', '--force-conflicts', '-f', 'dist/']);
  await kubectl(['wait', '--for=condition=Established', 'crd/algorithms.ai.alien6.io', '--timeout=30s']);
}
