import type { EtcdAnswer, EtcdMember, EtcdQuestion, MemberReport } from '../../controllers/etcd/ports/cluster.js';
import { CallError } from '../../runtime/ports/external-call.js';
import { type EndpointStatus, memberWithQuorum, type Statuses, statusesOf } from './cluster-state.js';
import { type Answered, ask, type Gateway } from './gateway.js';
import { hexadecimal } from './member-ids.js';

/**
 * Reads the state of a cluster. A member lists the members as it knows them, without the quorum, so the list of a member
 * counts that has just read through the quorum.
 */
export async function clusterAnswer(gateway: Gateway, question: EtcdQuestion): Promise<EtcdAnswer> {
  const statuses = await statusesOf(gateway, question);
  const proven = await memberWithQuorum(gateway, statuses);
  const informant = proven ?? bestInformed(statuses);
  if (!informant) throw new CallError('unreachable', 'no member with a vote answers', { mayHaveEffect: false });
  const listed = await ask(gateway, { endpoint: informant.endpoint, method: 'cluster/member/list' });
  const { answered, silent } = withoutOthers(statuses, informant);
  const members = membersIn(listed, { answered, informant });
  return {
    clusterId: informant.clusterId,
    hasQuorum: proven !== undefined,
    ...(informant.leader !== undefined && { leader: informant.leader }),
    members,
    silent,
  };
}

/** Without a quorum, the list of the member with the longest log. A learner does not list members. */
function bestInformed({ answered }: Statuses): EndpointStatus | undefined {
  const [best] = answered.filter(({ isLearner }) => !isLearner).toSorted((one, other) => other.index - one.index);
  return best;
}

/** A member that was started with another token or with an earlier volume can belong to another cluster. */
function withoutOthers({ answered, silent }: Statuses, { clusterId }: EndpointStatus): Statuses {
  const others = answered.filter((one) => one.clusterId !== clusterId);
  const strange = others.map((one) => [one.endpoint, `is a member of another cluster, ${one.clusterId}`] as const);
  return {
    answered: answered.filter((one) => one.clusterId === clusterId),
    silent: { ...silent, ...Object.fromEntries(strange) },
  };
}

function membersIn(
  { members }: Answered,
  { answered, informant }: Pick<Statuses, 'answered'> & { readonly informant: EndpointStatus },
): readonly EtcdMember[] {
  const ahead = Math.max(...answered.map(({ index }) => index));
  const all: readonly Answered[] = Array.isArray(members) ? members : [];
  const read = all.flatMap((member): readonly EtcdMember[] => {
    const id = hexadecimal(member['ID']);
    if (id === undefined) return [];
    const status = answered.find((one) => one.id === id);
    const name = String(member['name'] ?? '');
    return [
      {
        id,
        ...(name !== '' && { name: name.slice(0, 253) }),
        peerUrls: Array.isArray(member['peerURLs']) ? member['peerURLs'].map(String) : [],
        isLearner: member['isLearner'] === true,
        isHealthy: status?.leader !== undefined && status.leader === informant.leader,
        ...(status && { report: reportOf(status, ahead) }),
      },
    ];
  });
  const key = ({ peerUrls, id }: EtcdMember) => `${peerUrls[0] ?? ''} ${id}`;
  return read.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

const mebibyte = 2 ** 20;
/** Members are asked one after another, and meanwhile the log grows. */
const entriesThatCount = 1_000;

function reportOf({ version, index, dbSize, dbSizeInUse, alarms }: EndpointStatus, ahead: number): MemberReport {
  const lacks = ahead - index;
  return {
    version,
    behind: lacks - (lacks % entriesThatCount),
    dbSize: Math.ceil(dbSize / mebibyte) * mebibyte,
    dbSizeInUse: Math.ceil(dbSizeInUse / mebibyte) * mebibyte,
    alarms,
  };
}
