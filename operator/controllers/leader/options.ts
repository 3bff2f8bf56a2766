import { leaderFolders } from '../../../src/index.js';
import { controllerOptions } from '../../options/controller-options.js';

/** The options of LeaderElections. */
export const leaderOptions = controllerOptions<{ readonly leaderTokenFile: string }>({
  leaderTokenFile: {
    meaning:
      'File with the token that the launchers of a LeaderElection accept, with the audience `reconstruct.dev/leader`',
    read: (text) => text,
    default: `${leaderFolders.token}/token`,
  },
});
