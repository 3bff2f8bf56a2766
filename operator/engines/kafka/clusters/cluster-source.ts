import type { ClusterAnswer, ClusterQuestion } from '../../../controllers/kafka/ports/cluster.js';
import type { SourceCallOptions } from '../../../runtime/ports/external-port.js';
import type { Connections } from '../connection/connections.js';
import { KafkaSession } from '../connection/session.js';
import { loadOf, partitionCounts } from '../partitions/load.js';
import { askedPartitions } from '../partitions/partitions.js';
import { movesOf, reassignmentFor } from '../partitions/reassignment.js';
import { overridesOf } from './broker-overrides.js';
import { configsOf, valuesOf } from './configs.js';
import { deniedAcls } from './denied-acls.js';
import { markedLoginsIn } from './marked-logins.js';
import { markedTopicsIn } from './marked-topics.js';
import { metadataOf, metadataVersionOf, sized, sizesOf } from './metadata.js';
import { rates } from './throttle.js';

/** Reads the state of a cluster. A broker that does not answer takes nothing from the rest of the answer. */
export async function clusterAnswer(
  connections: Connections,
  question: ClusterQuestion,
  { signal }: Pick<SourceCallOptions, 'signal'>,
): Promise<ClusterAnswer> {
  const session = await KafkaSession.open(connections, question, { signal });
  const metadata = await metadataOf(session);
  const { clusterId, brokers, quorum } = metadata;
  const [sizes, metadataVersion, configs, overrides, denied] = await Promise.all([
    sizesOf(session, brokers),
    metadataVersionOf(session, brokers),
    configsOf(session, [{ type: 'broker', name: '' }]),
    overridesOf(session, brokers),
    deniedAcls(session),
  ]);
  signal.throwIfAborted();
  const partitions = sized(metadata.partitions, sizes);
  const { plan } = question;
  const serving = brokers.filter(({ isFenced }) => !isFenced);
  const ids = brokers.map(({ id }) => id);
  return {
    ...{ clusterId, quorum, metadataVersion },
    brokers: brokers.map(({ id, rack, isFenced }) => ({ id, ...(rack !== undefined && { rack }), isFenced })),
    load: loadOf(partitions, ids, sizes.disks),
    partitions: partitionCounts(partitions),
    ...dynamicConfig(valuesOf(configs.get('') ?? [])),
    ...(denied && {
      logins: markedLoginsIn(denied),
      topics: markedTopicsIn(denied, new Set(partitions.map(({ topic }) => topic))),
    }),
    ...(Object.keys(overrides).length > 0 && { overrides }),
    ...(question.partitions && { asked: askedPartitions(partitions, question.partitions) }),
    ...(plan && { moves: movesOf(reassignmentFor(partitions, serving, plan), partitions) }),
  };
}

function dynamicConfig(values: Readonly<Record<string, string>>): Pick<ClusterAnswer, 'config' | 'throttle'> {
  const [leaders, followers] = rates;
  const { [leaders]: sent, [followers]: received, ...config } = values;
  const rate = sent ?? received;
  return { config, ...(rate !== undefined && { throttle: Number(rate) }) };
}
