import { readFile } from 'node:fs/promises';
import { launcherAudience } from '../../controllers/leader/ports/launchers.js';
import { messageOf } from '../../runtime/kubernetes/errors.js';

/**
 * The operator's own token for launchers, which the kubelet projects into the Pod and replaces. It is bound to the audience of
 * launchers, so a launcher cannot use it at the API server. The operator needs no permission to request tokens.
 */
export function tokenFrom(file: string): () => Promise<string> {
  return async () => {
    try {
      return (await readFile(file, 'utf8')).trim();
    } catch (error) {
      const cause = messageOf(error);
      throw new Error(
        `no token with the audience ${launcherAudience}: ${cause}. Mount a projected token, or set --leader-token-file`,
      );
    }
  };
}
