import type { DescribedBroker } from '../connection/missing-calls.js';
import type { KafkaSession } from '../connection/session.js';
import { configsOf } from './configs.js';
import { brokerPatience, ofEach } from './metadata.js';

/**
 * Names of dynamic properties that single brokers have, by their IDs, sorted. They outrank those of all brokers and the file of
 * the node. Only the broker itself knows them, and one that does not answer in time is absent.
 */
export async function overridesOf(
  session: KafkaSession,
  brokers: readonly DescribedBroker[],
): Promise<Readonly<Record<number, readonly string[]>>> {
  const found: Record<number, readonly string[]> = {};
  await ofEach(brokers, async (broker) => {
    const name = String(broker.id);
    const at = { at: broker, within: brokerPatience };
    const configs = await configsOf(session, [{ type: 'broker', name }], undefined, at);
    // A sensitive one has no value.
    const own = (configs.get(name) ?? []).filter(({ isOwn }) => isOwn);
    if (own.length > 0) found[broker.id] = own.map((entry) => entry.name).toSorted();
  });
  return found;
}
