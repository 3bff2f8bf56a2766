/**
 * Properties that all brokers apply without a restart.
 * @see https://kafka.apache.org/documentation/#dynamicbrokerconfigs
 */
const names: ReadonlySet<string> = new Set([
  'background.threads',
  'compression.type',
  'connection.creation.rate',
  'connections.max.reauth.ms',
  'log.cleaner.backoff.ms',
  'log.cleaner.dedupe.buffer.size',
  'log.cleaner.delete.retention.ms',
  'log.cleaner.io.buffer.load.factor',
  'log.cleaner.io.buffer.size',
  'log.cleaner.io.max.bytes.per.second',
  'log.cleaner.max.compaction.lag.ms',
  'log.cleaner.min.cleanable.ratio',
  'log.cleaner.min.compaction.lag.ms',
  'log.cleaner.threads',
  'log.cleanup.policy',
  'log.flush.interval.messages',
  'log.flush.interval.ms',
  'log.index.interval.bytes',
  'log.index.size.max.bytes',
  'log.local.retention.bytes',
  'log.local.retention.ms',
  'log.message.timestamp.after.max.ms',
  'log.message.timestamp.before.max.ms',
  'log.message.timestamp.type',
  'log.preallocate',
  'log.retention.bytes',
  'log.retention.ms',
  'log.roll.jitter.ms',
  'log.roll.ms',
  'log.segment.bytes',
  'log.segment.delete.delay.ms',
  'max.connection.creation.rate',
  'max.connections',
  'max.connections.per.ip',
  'max.connections.per.ip.overrides',
  'message.max.bytes',
  'min.insync.replicas',
  'num.io.threads',
  'num.network.threads',
  'num.recovery.threads.per.data.dir',
  'num.replica.fetchers',
  'producer.id.expiration.ms',
  'replica.fetch.max.bytes',
  'transaction.partition.verification.enable',
]);

type Properties = Readonly<Record<string, string>>;

/** Divides properties into those that brokers apply at once, and those that need a restart. */
export function dividedProperties(config: Properties): { readonly dynamic: Properties; readonly fixed: Properties } {
  const of = (isDynamic: boolean) =>
    Object.fromEntries(
      Object.entries(config)
        .filter(([name]) => names.has(name) === isDynamic)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  return { dynamic: of(true), fixed: of(false) };
}
