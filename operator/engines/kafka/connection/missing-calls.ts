import type * as Kafka from '@platformatic/kafka';
import type { PartitionRef } from '../../../controllers/kafka/ports/cluster.js';
import { groupedBy } from './grouped-by.js';

type Library = typeof Kafka;
type Reader = Kafka.Reader;

/** A broker that is registered, also if it is fenced. */
export interface DescribedBroker {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  readonly rack?: string;
  readonly isFenced: boolean;
}

/** A range of levels of a feature. */
export interface FeatureLevels {
  readonly minimum: number;
  readonly maximum: number;
}

/** What a node says about features. */
export interface Features {
  readonly supported: Readonly<Record<string, FeatureLevels>>;
  /** The levels that the cluster uses. */
  readonly finalized: Readonly<Record<string, number>>;
}

/** The replicas of one partition, in order. The first one is the preferred leader. */
export interface AssignedReplicas {
  readonly topic: string;
  readonly partition: number;
  readonly replicas: readonly number[];
}

/** A controller that becomes a voter. */
export interface NewVoter {
  readonly id: number;
  /** As UUID in hexadecimal. */
  readonly directoryId: string;
  readonly listener: string;
  readonly host: string;
  readonly port: number;
}

type Errors = Record<string, [number, string | null]>;

/** Calls that the client does not have, or reads wrongly. @see https://kafka.apache.org/protocol */
export function missingCalls(library: Library) {
  return {
    describeCluster: describeCluster(library),
    features: features(library),
    electLeaders: electLeaders(library),
    assignReplicas: assignReplicas(library),
    addVoter: addVoter(library),
    removeVoter: removeVoter(library),
  };
}

/** DescribeCluster, in the first version that has fenced brokers. */
function describeCluster({ createAPI, Writer, ResponseError }: Library) {
  return createAPI<[], { readonly clusterId: string; readonly brokers: readonly DescribedBroker[] }>(
    60,
    2,
    // No authorized operations, the endpoints of brokers, and also fenced ones.
    () => Writer.create().appendBoolean(false).appendInt8(1).appendBoolean(true).appendTaggedFields(),
    (_, key, version, reader) => {
      reader.readInt32(); // throttle time
      const error: [number, string | null] = [reader.readInt16(), reader.readNullableString()];
      reader.readInt8(); // endpoint type
      const clusterId = reader.readString();
      reader.readInt32(); // a random broker
      const brokers = reader.readArray((entry) => {
        const [id, host, port, rack] = [
          entry.readInt32(),
          entry.readString(),
          entry.readInt32(),
          entry.readNullableString(),
        ];
        return { id, host, port, ...(rack !== null && { rack }), isFenced: entry.readBoolean() };
      });
      if (error[0] !== 0) throw new ResponseError(key, version, { '': error }, undefined as never);
      return { clusterId, brokers };
    },
  );
}

/** ApiVersions with its tagged fields, which have the features. */
function features({ createAPI, Writer, ResponseError }: Library) {
  return createAPI<[], Features>(
    18,
    4,
    () => Writer.create().appendString('reconstruct').appendString('1').appendTaggedFields(),
    (_, key, version, reader) => {
      const code = reader.readInt16();
      reader.readArray((entry) => [entry.readInt16(), entry.readInt16(), entry.readInt16()]);
      reader.readInt32(); // throttle time
      if (code !== 0) throw new ResponseError(key, version, { '': [code, null] }, undefined as never);
      return featuresIn(reader);
    },
    true,
    // This response has an old header, so that clients of any age can read it.
    false,
  );
}

function featuresIn(reader: Reader): Features {
  const supported: Record<string, FeatureLevels> = {};
  const finalized: Record<string, number> = {};
  const fields = reader.readUnsignedVarInt();
  for (let field = 0; field < fields; field++) {
    const [tag, size] = [reader.readUnsignedVarInt(), reader.readUnsignedVarInt()];
    const end = reader.position + size;
    if (tag === 0) {
      reader.readArray((entry) => {
        supported[entry.readString()] = { minimum: entry.readInt16(), maximum: entry.readInt16() };
      });
    } else if (tag === 2) {
      reader.readArray((entry) => {
        finalized[entry.readString()] = entry.readInt16();
        entry.readInt16(); // the minimum, which is always 1 or the maximum
      });
    }
    reader.position = end;
  }
  return { supported, finalized };
}

/** ElectLeaders: the preferred replicas of all partitions, or any living replica of the partitions that are named. */
function electLeaders({ createAPI, Writer, ResponseError, protocolErrorsCodesById: names }: Library) {
  /** The partition has its preferred leader already, or that one is down. */
  const harmless = ['ELECTION_NOT_NEEDED', 'PREFERRED_LEADER_NOT_AVAILABLE', 'NONE'];
  return createAPI<[timeout: number, unclean?: readonly PartitionRef[]], void>(
    43,
    2,
    (timeout: number, unclean?: readonly PartitionRef[]) =>
      Writer.create()
        .appendInt8(unclean ? 1 : 0)
        .appendArray(unclean ? [...groupedBy(unclean, ({ topic }) => topic)] : null, (writer, [topic, partitions]) => {
          const numbers = partitions.map(({ partition }) => partition);
          writer.appendString(topic).appendArray(numbers, (entry, one) => entry.appendInt32(one), true, false);
        })
        .appendInt32(timeout)
        .appendTaggedFields(),
    (_, key, version, reader) => {
      reader.readInt32(); // throttle time
      const errors: Errors = {};
      const code = reader.readInt16();
      if (code !== 0) errors[''] = [code, null];
      reader.readArray((topic) => {
        const name = topic.readString();
        topic.readArray((partition) => {
          const [id, refusal, message] = [partition.readInt32(), partition.readInt16(), partition.readNullableString()];
          if (!harmless.includes(nameOf(names, refusal))) errors[`${name}-${id}`] = [refusal, message];
        });
      });
      if (Object.keys(errors).length > 0) throw new ResponseError(key, version, errors, undefined as never);
    },
  );
}

function nameOf(names: Library['protocolErrorsCodesById'], code: number): string {
  return (names as Readonly<Record<number, string>>)[code] ?? '';
}

/** AlterPartitionReassignments, whose response the client reads without one of its fields. */
function assignReplicas({ createAPI, Writer, ResponseError }: Library) {
  return createAPI<
    [of: readonly AssignedReplicas[], options: { readonly timeout: number; readonly mayChangeNumber: boolean }],
    void
  >(
    45,
    1,
    (of: readonly AssignedReplicas[], { timeout, mayChangeNumber }: { timeout: number; mayChangeNumber: boolean }) =>
      Writer.create()
        .appendInt32(timeout)
        .appendBoolean(mayChangeNumber)
        .appendArray([...groupedBy(of, ({ topic }) => topic)], (writer, [topic, partitions]) => {
          writer.appendString(topic).appendArray(partitions, (entry, { partition, replicas }) => {
            entry.appendInt32(partition).appendArray([...replicas], (each, id) => each.appendInt32(id), true, false);
          });
        })
        .appendTaggedFields(),
    (_, key, version, reader) => {
      reader.readInt32(); // throttle time
      reader.readBoolean(); // the repeated option
      const errors: Errors = {};
      const error: [number, string | null] = [reader.readInt16(), reader.readNullableString()];
      if (error[0] !== 0) errors[''] = error;
      reader.readArray((topic) => {
        const name = topic.readString();
        topic.readArray((partition) => {
          const [id, refusal, message] = [partition.readInt32(), partition.readInt16(), partition.readNullableString()];
          if (refusal !== 0) errors[`${name}-${id}`] = [refusal, message];
        });
      });
      if (Object.keys(errors).length > 0) throw new ResponseError(key, version, errors, undefined as never);
    },
  );
}

function addVoter({ createAPI, Writer, ResponseError }: Library) {
  return createAPI<[clusterId: string, voter: NewVoter, timeout: number], void>(
    80,
    0,
    (clusterId: string, voter: NewVoter, timeout: number) =>
      Writer.create()
        .appendString(clusterId)
        .appendInt32(timeout)
        .appendInt32(voter.id)
        .appendUUID(voter.directoryId)
        .appendArray([voter], (writer, { listener, host, port }) => {
          writer.appendString(listener).appendString(host).appendUnsignedInt16(port);
        })
        .appendTaggedFields(),
    (_, key, version, reader) => checkVoterResponse(ResponseError, key, version, reader),
  );
}

function removeVoter({ createAPI, Writer, ResponseError }: Library) {
  return createAPI<[clusterId: string, id: number, directoryId: string], void>(
    81,
    0,
    (clusterId: string, id: number, directoryId: string) =>
      Writer.create().appendString(clusterId).appendInt32(id).appendUUID(directoryId).appendTaggedFields(),
    (_, key, version, reader) => checkVoterResponse(ResponseError, key, version, reader),
  );
}

function checkVoterResponse(ResponseError: Library['ResponseError'], key: number, version: number, reader: Reader) {
  reader.readInt32(); // throttle time
  const error: [number, string | null] = [reader.readInt16(), reader.readNullableString()];
  if (error[0] !== 0) throw new ResponseError(key, version, { '': error }, undefined as never);
}
