import { describe, test } from 'vitest';
import {
  type EtcdAnswer,
  type EtcdQuestion,
  etcdCluster,
} from '../../../../operator/controllers/etcd/ports/cluster.js';
import type { Provided } from '../../../../operator/runtime/ports/external-port.js';
import { portContract } from '../../../../operator/testing/index.js';

/** What both clusters have in common: etcd chooses the IDs. */
const content = ({ hasQuorum, members, leader }: EtcdAnswer) => ({
  ...{ hasQuorum, hasLeader: leader !== undefined },
  members: members.map(({ peerUrls, isLearner, isHealthy }) => ({ peerUrls, isLearner, isHealthy })),
});

/** A host of which the URL is the last one. */
const peerUrl = 'https://zzz.invalid:2380';

/** A cluster, all members of which run. */
export interface ContractCluster {
  readonly access: EtcdQuestion;
  /** Its answer at the start. */
  readonly first: EtcdAnswer;
  /** Milliseconds within which an effect shows. */
  readonly visibleWithin: number;
}

/** What holds for each etcd cluster. @param start a cluster that has the same members each time */
export function etcdContract({ access, first, visibleWithin }: ContractCluster, start: () => Promise<Provided>): void {
  describe('as a port', () => {
    const added = { id: '', peerUrls: [peerUrl], isLearner: true, isHealthy: false };
    const contract = portContract({
      port: etcdCluster,
      start,
      question: access,
      before: content(first) as never,
      request: { ...access, act: 'addMember', peerUrl },
      after: content({ ...first, members: [...first.members, added] }) as never,
      refused: { ...access, act: 'addMember', peerUrl: 'no URL' },
      visibleWithin,
      content,
    });
    for (const { name, holds } of contract) test(name, holds);
  });
}
