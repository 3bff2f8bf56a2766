import type { NamesUpdate } from '../../dns/dns-names.js';
import type { RecordChange } from '../../dns/dns-records.js';
import { nameInZone } from './names.js';

/** Updates of one message. BIND takes a quarter of a second for as many. */
const most = 500;

/**
 * Distributes updates over messages, so that each has the effect that it would have in a message of its own. A server checks
 * all prerequisites of a message before it applies any of its changes. It also compares the values of all prerequisites of
 * one name and type as one set. So an update comes in a later message than those whose changes or values its prerequisites
 * concern. Changes of one RRset stay in their order.
 *
 * @param zone to which the names belong
 * @throws {InvalidInputError} if a name is not in the zone
 */
export function messagesOf<U extends { readonly update: NamesUpdate }>(
  updates: readonly U[],
  zone: string,
): readonly (readonly U[])[] {
  const messages: U[][] = [];
  const names = new Map<string, string>();
  const nameOf = ({ name }: { readonly name: string }) => {
    const known = names.get(name) ?? nameInZone(name, zone);
    names.set(name, known);
    return known;
  };
  const rrsetOf = (one: Pick<RecordChange, 'name' | 'type'>) => `${nameOf(one)} ${one.type}`;
  // The last message with a change of a name or an RRset, and with values of a prerequisite.
  const changed = new Map<string, number>();
  const compared = new Map<string, number>();
  for (const one of updates) {
    const { requires = [], changes } = one.update;
    const values = requires.flatMap((it) => ('values' in it ? [rrsetOf(it)] : []));
    const rrsets = changes.map((it) => rrsetOf(it));
    let at = Math.max(
      0,
      ...requires.map((it) => (changed.get('type' in it ? rrsetOf(it) : nameOf(it)) ?? -1) + 1),
      ...values.map((key) => (compared.get(key) ?? -1) + 1),
      ...rrsets.map((key) => changed.get(key) ?? 0),
    );
    while ((messages[at]?.length ?? 0) >= most) at++;
    const message = messages[at] ?? [];
    messages[at] = message;
    message.push(one);
    for (const key of [...rrsets, ...changes.map(nameOf)]) changed.set(key, Math.max(at, changed.get(key) ?? 0));
    for (const key of values) compared.set(key, Math.max(at, compared.get(key) ?? 0));
  }
  return messages;
}
