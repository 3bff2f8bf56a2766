import type { ClusterRequest, MarkedTopic } from '../../../controllers/kafka/ports/cluster.js';
import type { Acl } from '../../../kafka/users.js';
import type { KafkaSession } from '../connection/session.js';
import { aclFrom, principalOf, type WireAcl, wireAcl } from '../users/acls.js';

/** No user has this name: that of a KafkaUser has no slash. */
const marker = 'reconstruct.dev/KafkaTopic';

/**
 * The operations in marks. An ACL of a principal that does not exist gives and takes no right. It is in the metadata with the
 * topic, so it returns with the volumes, however the KafkaTopic and its KafkaCluster were deleted.
 */
const operations = {
  /** A KafkaTopic has the topic, and deletes it. */
  claimed: 'Describe',
  /** The topic was there when no KafkaTopic had it any more. */
  unclaimed: 'DescribeConfigs',
} as const;

type TopicMark = keyof typeof operations;
const marks = Object.keys(operations) as readonly TopicMark[];

/** The topics with a mark, by name. @param existing names of the topics that exist */
export function markedTopicsIn(acls: readonly WireAcl[], existing: ReadonlySet<string>): readonly MarkedTopic[] {
  const principal = principalOf(marker);
  const own = acls.filter((acl) => acl.principal === principal).flatMap((acl) => aclFrom(acl) ?? []);
  const of = (mark: TopicMark) => new Set(own.filter((acl) => isMark(acl, mark)).map(({ name }) => name));
  const [claimed, unclaimed] = [of('claimed'), of('unclaimed')];
  return [...new Set([...claimed, ...unclaimed])].toSorted().map((topic) => ({
    topic,
    exists: existing.has(topic),
    isUnclaimed: unclaimed.has(topic),
  }));
}

function isMark({ resource, pattern, operation, permission }: Acl, mark: TopicMark): boolean {
  return resource === 'Topic' && pattern === 'Literal' && permission === 'Deny' && operation === operations[mark];
}

/**
 * Writes and removes marks. Which topics exist is read again: one that was deleted since the question, with its KafkaTopic,
 * is no leftover.
 */
export async function markTopics(
  session: KafkaSession,
  changing: KafkaSession,
  { claimed, released, unclaimed }: Extract<ClusterRequest, { readonly act: 'markTopics' }>,
): Promise<void> {
  const gone = await missingOf(session, unclaimed);
  const left = unclaimed.filter((topic) => !gone.has(topic));
  const add = [...aclsOf(claimed, ['claimed']), ...aclsOf(left, ['unclaimed'])];
  const remove = [...aclsOf(claimed, ['unclaimed']), ...aclsOf([...released, ...gone], marks)];
  if (add.length > 0) await changing.ask('createAcls', [add] as never);
  if (remove.length > 0) await changing.ask('deleteAcls', [remove] as never);
}

/** UNKNOWN_TOPIC_OR_PARTITION */
const unknownTopic = 3;

async function missingOf(session: KafkaSession, names: readonly string[]): Promise<ReadonlySet<string>> {
  // Without names, Kafka would be asked for no topic or for all, by the version of the protocol.
  if (names.length === 0) return new Set();
  const { topics } = await session.ask('metadata', [[...names]], { partly: true });
  return new Set(topics.flatMap(({ name, errorCode }) => (name && errorCode === unknownTopic ? [name] : [])));
}

function aclsOf(topics: readonly string[], of: readonly TopicMark[]): readonly WireAcl[] {
  const rule = { resource: 'Topic', pattern: 'Literal', permission: 'Deny' } as const;
  return topics.flatMap((name) =>
    of.flatMap((mark) => wireAcl(marker, { ...rule, name, operation: operations[mark] }) ?? []),
  );
}
