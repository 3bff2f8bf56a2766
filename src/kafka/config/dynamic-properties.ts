import type { KafkaClusterSpec } from '../../../imports/index.js';

type Version = KafkaClusterSpec['version'];

/**
 * Properties that all brokers of 4.3 and later apply without a restart. `config.providers` is left to the file of the
 * node, because the providers that it names are there.
 * @see https://kafka.apache.org/documentation/#dynamicbrokerconfigs
 */
const names = [
  'background.threads',
  'compression.gzip.level',
  'compression.lz4.level',
  'compression.type',
  'compression.zstd.level',
  'follower.fetch.last.tiered.offset.enable',
  'group.consumer.assignment.interval.ms',
  'group.coordinator.cached.buffer.max.bytes',
  'group.share.assignment.interval.ms',
  'group.streams.assignment.interval.ms',
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
  'metric.reporters',
  'min.insync.replicas',
  'num.io.threads',
  'num.network.threads',
  'num.recovery.threads.per.data.dir',
  'num.replica.fetchers',
  'producer.id.expiration.ms',
  'remote.fetch.max.wait.ms',
  'remote.list.offsets.request.timeout.ms',
  'remote.log.index.file.cache.total.size.bytes',
  'remote.log.manager.copier.thread.pool.size',
  'remote.log.manager.copy.max.bytes.per.second',
  'remote.log.manager.expiration.thread.pool.size',
  'remote.log.manager.fetch.max.bytes.per.second',
  'remote.log.manager.follower.thread.pool.size',
  'remote.log.reader.threads',
  'share.coordinator.cached.buffer.max.bytes',
  'transaction.partition.verification.enable',
] as const;

const since44 = [
  'errors.deadletterqueue.auto.create.topics.enable',
  'errors.deadletterqueue.topic.name.prefix',
  'log.remote.copy.lag.bytes',
  'log.remote.copy.lag.ms',
  'max.decompressed.message.bytes',
] as const;

/** The properties that brokers of a version apply without a restart. A broker refuses a change with any other. */
export const dynamicNames: Readonly<Record<Version, ReadonlySet<string>>> = {
  '4.3': new Set(names),
  '4.4': new Set([...names, ...since44]),
};

type Properties = Readonly<Record<string, string>>;

/** Divides properties into those that brokers apply at once, and those that need a restart. */
export function dividedProperties({ config, version }: Pick<KafkaClusterSpec, 'config' | 'version'>): {
  readonly dynamic: Properties;
  readonly fixed: Properties;
} {
  const of = (isDynamic: boolean) =>
    Object.fromEntries(
      Object.entries(config)
        .filter(([name]) => dynamicNames[version].has(name) === isDynamic)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  return { dynamic: of(true), fixed: of(false) };
}
