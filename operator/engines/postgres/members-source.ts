import { isIPv6 } from 'node:net';
import { type Dispatcher, request } from 'undici';
import type { MemberReport, MembersAnswer, MembersQuestion } from '../../controllers/database/ports/members.js';
import { linked } from '../../runtime/concurrency/abort-signals.js';
import { messageOf } from '../../runtime/kubernetes/errors.js';
import type { Clock } from '../../runtime/ports/clock.js';
import type { Source } from '../../runtime/ports/external-port.js';
import { boundedText } from './bounded-text.js';
import { memberReport } from './member-report.js';

/** Milliseconds for one instance: below the timeout of the poll, so that a lost instance does not fail it. */
const patience = 3_000;

/** Dependencies of the source. */
export interface MembersPlace {
  /** Connections to servers with a certificate of this authority. */
  readonly dispatcherFor: (authority: string) => Dispatcher;
  readonly clock: Clock;
}

/** Polls each instance over the REST API of its Patroni. */
export function membersSource(place: MembersPlace): Source<MembersQuestion, MembersAnswer> {
  return async ({ authority, port, members }, { signal }) => {
    const dispatcher = place.dispatcherFor(authority);
    const told = await Promise.all(
      members.map(async ({ name, address, host }) => {
        const url = new URL(`https://${isIPv6(address) ? `[${address}]` : address}:${port}/patroni`);
        return [name, await askOne({ url, host: `${host}:${port}`, dispatcher, signal }, place.clock)] as const;
      }),
    );
    const silent = Object.fromEntries(told.flatMap(([name, one]) => ('why' in one ? [[name, one.why]] : [])));
    const reports = Object.fromEntries(told.flatMap(([name, one]) => ('why' in one ? [] : [[name, one]])));
    const whys = Object.entries(silent).map(([name, why]) => `${name}: ${why}`);
    if (whys.length === told.length) throw new Error(`no instance responds: ${whys.join('; ')}`);
    return { reports, silent };
  };
}

interface Visit {
  readonly url: URL;
  /** The name that its certificate must have. */
  readonly host: string;
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
}

async function askOne(visit: Visit, clock: Clock): Promise<MemberReport | { readonly why: string }> {
  const { signal, abort, release } = linked(visit.signal);
  const cancel = clock.after(patience, () => abort(new Error(`no response within ${patience} ms`)));
  try {
    return memberReport(await bodyOf({ ...visit, signal }));
  } catch (error) {
    return { why: messageOf(signal.aborted ? signal.reason : error) };
  } finally {
    cancel();
    release();
  }
}

/** Ignores the status code: an instance that does not run responds with an error status and its report. */
async function bodyOf({ url, host, dispatcher, signal }: Visit): Promise<string> {
  const { body } = await request(url, { dispatcher, headers: { host, accept: 'application/json' }, signal });
  return boundedText(body);
}
