import { secondsOf } from '../../../crds/index.js';
import type { HookEndpoint } from './ports/hooks.js';

/** How a hook of a spec is called. */
export function hookEndpoint({
  http,
  timeout,
}: {
  readonly http: { readonly path: string; readonly port: number };
  readonly timeout: string;
}): HookEndpoint {
  return { port: http.port, path: http.path, timeout: secondsOf(timeout) * 1000 };
}
