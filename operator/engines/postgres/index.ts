import type { AllowedAddresses } from '../../egress/allowed-addresses.js';
import type { Clock } from '../../runtime/ports/clock.js';
import type { Cluster } from '../../runtime/ports/cluster.js';
import { loginsFrom } from './logins-source.js';
import { openPostgres } from './open-postgres.js';

interface PostgresEnvironment {
  readonly cluster: Pick<Cluster, 'read'>;
  readonly clock: Clock;
  readonly addresses: Pick<AllowedAddresses, 'lookupFor'>;
}

/** The sources of Databases, and of rotations of logins in PostgreSQL. */
export const postgres = {
  name: 'postgres',
  open({ cluster, clock, addresses }: PostgresEnvironment) {
    const { provided, close } = openPostgres({ clock });
    return { provided: [...provided, loginsFrom(cluster, addresses)], close };
  },
};
