import { answered, stretchesOf, type Tally } from '../../e2e/client/tally.js';
import type { TriedPublication } from '../../e2e/publication/tried-publication.js';

/** What clients were promised. */
export interface Lost {
  readonly answered: number;
  readonly lost: readonly string[];
}

/** The clients of a publication, and what they have counted. */
export interface LostRequests {
  readonly sum: Lost;
  /** What is counted until now, for people. */
  told(): string;
  /** Ends the clients, and tells the same. */
  end(): Promise<string>;
}

/**
 * Starts clients of a publication, and prints each failed request at once.
 * @param shown what an address is at the moment, for people
 */
export function lostRequests(
  tried: TriedPublication,
  say: (line: string) => void,
  shown: (address: string) => string,
): LostRequests {
  tried.startClients(10, (client, { at, why, address, version }) => {
    const server = address ?? version;
    const state = server === undefined ? 'no server' : `${server}, ${shown(server)}`;
    say(`FAILED ${new Date(at).toISOString()} by ${client}: ${why}: ${state}`);
  });
  const tallies: Tally[] = [];
  const told = () => {
    tallies.push(tried.tally());
    const { answered: answers, lost } = sumOf(tallies);
    return [`${answers} requests answered`, lost.length === 0 ? 'none failed' : lost.join('; ')].join(', ');
  };
  return {
    get sum() {
      return sumOf(tallies);
    },
    told,
    end: async () => {
      await tried.stopClients();
      return told();
    },
  };
}

function sumOf(tallies: readonly Tally[]): Lost {
  const count = tallies.reduce((all, tally) => all + answered(tally), 0);
  return { answered: count, lost: stretchesOf(tallies.flatMap(({ failed }) => failed)) };
}
