import type { HaproxyServer, HaproxyState } from '../../../controllers/publication/ports/haproxy.js';
import { CallError } from '../../../runtime/ports/external-call.js';

/** Bits of `srv_admin_state`: maintenance and drain, for whatever reason. */
const maintenance = 0x01 | 0x02 | 0x04 | 0x20 | 0x40;
const drain = 0x08 | 0x10;
/** `srv_op_state` of a server that a health check reports down. */
const stopped = 0;

/**
 * The servers in the response to `show servers state`.
 * @param busy the servers that have connections, from {@link busyIn}
 * @throws {CallError} with HAProxy's words, if the response is no list
 */
export function serversIn(response: string, busy: ReadonlySet<string>, address: string): readonly HaproxyServer[] {
  const rows = tableIn(response, address);
  return rows.map((row) => {
    const admin = Number(row['srv_admin_state']);
    const state: HaproxyState = admin & maintenance ? 'maint' : admin & drain ? 'drain' : 'ready';
    const name = row['srv_name'] ?? '';
    return {
      name,
      address: row['srv_addr'] === '-' ? '' : (row['srv_addr'] ?? ''),
      port: Number(row['srv_port']),
      state,
      isDown: state !== 'maint' && Number(row['srv_op_state']) === stopped,
      isBusy: state === 'maint' && busy.has(name),
    };
  });
}

/** The names of the servers in the response to `show servers conn` that have connections, idle ones too. */
export function busyIn(response: string, address: string): ReadonlySet<string> {
  const rows = tableIn(response, address);
  const busy = rows.filter((row) => Number(row['used_cur']) > 0 || Number(row['idle_cur']) > 0);
  return new Set(busy.map((row) => (row['bkname/svname'] ?? '').split('/')[1] ?? ''));
}

/** Rows below a line that starts with `#` and has the names of the columns. */
function tableIn(response: string, address: string): readonly Readonly<Record<string, string>>[] {
  const lines = response.split('\n').filter((line) => line.trim() !== '');
  const at = lines.findIndex((line) => line.startsWith('#'));
  if (at < 0) throw refusal(response, address);
  const columns = (lines[at] ?? '').slice(1).trim().split(/\s+/);
  return lines.slice(at + 1).map((line) => {
    const values = line.trim().split(/\s+/);
    return Object.fromEntries(columns.map((column, index) => [column, values[index] ?? '']));
  });
}

/** Characters of HAProxy's text in a message. */
const longest = 300;

/** What HAProxy says instead of doing what it was told. Nothing has changed. */
export function refusal(response: string, address: string): CallError {
  const words = response.replace(/\s+/g, ' ').trim().slice(0, longest);
  const isUnauthorized = /permission denied/i.test(words);
  const advice = isUnauthorized ? '; its stats socket must have level admin' : '';
  const message = `${address} answered: ${words === '' ? 'nothing' : words}${advice}`;
  return new CallError(isUnauthorized ? 'unauthorized' : 'retryable', message, { mayHaveEffect: false });
}
