import { refusalOf } from '../../egress/address-rules.js';
import type { Clock } from '../../runtime/ports/clock.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import type { Provided } from '../../runtime/ports/external-port.js';
import { hooksFrom } from './hooks-source.js';
import { launchersFrom } from './launchers-source.js';
import { LeaseObserver } from './lease-observer.js';
import { leasesFrom } from './leases-source.js';
import { tokenFrom } from './operator-token.js';
import { redisFrom } from './redis-source.js';
import { rolesFrom } from './roles-source.js';

/** What the leader engine needs. */
export interface OpenLeaderOptions {
  readonly cluster: Pick<Cluster, 'list' | 'watch' | 'read' | 'patch' | 'remove'>;
  readonly clock: Clock;
  readonly config: { readonly leaderTokenFile: string };
  /** Why an address of a Pod is refused. Undefined if it is not. @default - loopback and others that no Pod has */
  readonly refusal?: (address: string) => string | undefined;
}

/** The ports of LeaderElections, and a function that ends the watches. */
export interface OpenLeader {
  readonly provided: readonly Provided[];
  readonly close: () => Promise<void>;
}

/** Opens the ports of LeaderElections. Nothing is read, watched or connected before the first question. */
export function openLeader({ cluster, clock, config, refusal = refusalOf }: OpenLeaderOptions): OpenLeader {
  const observer = new LeaseObserver({ cluster, clock });
  const access = { clock, refusal };
  return {
    provided: [
      leasesFrom({ cluster, clock, observer }),
      rolesFrom(cluster),
      launchersFrom({ ...access, observer, token: tokenFrom(config.leaderTokenFile) }),
      hooksFrom(access),
      redisFrom(access),
    ],
    close: () => observer.close(),
  };
}
