import { Agent } from 'undici';
import { credentials } from '../../controllers/database/ports/credentials.js';
import { members } from '../../controllers/database/ports/members.js';
import { restart } from '../../controllers/database/ports/restart.js';
import { draw } from '../../passwords/draw.js';
import { drawSource } from '../../passwords/draw-source.js';
import type { Clock } from '../../runtime/ports/clock.js';
import { type Provided, provided } from '../../runtime/ports/external-port.js';
import { credentialsSource } from './credentials-source.js';
import { membersSource } from './members-source.js';
import { restartSource } from './restart-source.js';

/** Maximum number of Databases with open connections. Beyond it, the least recently polled one reconnects. */
const most = 512;

/** The sources that Databases poll, and a function that closes the connections. */
export interface OpenPostgres {
  readonly provided: readonly Provided[];
  readonly close: () => Promise<void>;
}

/** Opens the sources of Databases. Connections are persistent, and none is opened before the first poll. */
export function openPostgres({ clock }: { readonly clock: Clock }): OpenPostgres {
  const agents = new Map<string, Agent>();
  const dispatcherFor = (authority: string) => {
    const agent = agents.get(authority) ?? new Agent({ connect: { ca: authority } });
    agents.delete(authority);
    agents.set(authority, agent);
    const [oldest] = agents.size > most ? agents : [];
    if (oldest) {
      agents.delete(oldest[0]);
      void oldest[1].close();
    }
    return agent;
  };
  return {
    provided: [
      provided(credentials, credentialsSource(clock)),
      provided(members, membersSource({ dispatcherFor, clock })),
      provided(restart, restartSource),
      provided(draw, drawSource),
    ],
    close: async () => void (await Promise.all([...agents.values()].map((agent) => agent.close()))),
  };
}
