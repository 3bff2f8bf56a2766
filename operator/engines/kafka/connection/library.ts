import type * as Kafka from '@platformatic/kafka';
import { CallError } from '../../../runtime/ports/external-call.js';
import { missingCalls } from './missing-calls.js';

/** The client of Kafka's protocol. */
export type Library = typeof Kafka;

/** A connection to a listener of a node. */
export type Connection = Kafka.Connection;

/** The calls of the protocol that this engine makes, in versions that Kafka 4.3 and 4.4 have. */
export type Calls = ReturnType<typeof callsOf>;

/** The client and the calls. */
export interface LoadedLibrary {
  readonly library: Library;
  readonly calls: Calls;
}

let loaded: Promise<LoadedLibrary> | undefined;

/**
 * Loads the client at the first question, because it takes a third of a second and 40 MB. It is an optional peer: it is
 * large, a part of it states Node.js 22, and who imports constructs does not need it.
 * @throws {CallError} if the client is not installed
 */
export function loadLibrary(): Promise<LoadedLibrary> {
  loaded ??= import('@platformatic/kafka').then(
    (library) => ({ library, calls: callsOf(library) }),
    () => {
      const text = 'the client of Kafka is not installed with the operator: npm install @platformatic/kafka@1.35';
      throw new CallError('terminal', text);
    },
  );
  return loaded;
}

function callsOf(library: Library) {
  return {
    ...missingCalls(library),
    createAcls: library.createAclsV3.api,
    alterConfigs: library.incrementalAlterConfigsV1.api,
    alterQuotas: library.alterClientQuotasV1.api,
    alterScramCredentials: library.alterUserScramCredentialsV0.api,
    createPartitions: library.createPartitionsV3.api,
    createTopics: library.createTopicsV7.api,
    deleteAcls: library.deleteAclsV3.api,
    deleteTopics: library.deleteTopicsV6.api,
    describeAcls: library.describeAclsV3.api,
    describeConfigs: library.describeConfigsV4.api,
    describeLogDirs: library.describeLogDirsV4.api,
    describeQuorum: library.describeQuorumV2.api,
    describeQuotas: library.describeClientQuotasV0.api,
    describeScramCredentials: library.describeUserScramCredentialsV0.api,
    listGroups: library.listGroupsV5.api,
    listOffsets: library.listOffsetsV9.api,
    listReassignments: library.listPartitionReassignmentsV0.api,
    metadata: library.metadataV12.api,
    offsetFetch: library.offsetFetchV9.api,
    unregisterBroker: library.unregisterBrokerV0.api,
    updateFeatures: library.updateFeaturesV1.api,
  };
}
