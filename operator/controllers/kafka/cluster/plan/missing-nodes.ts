import { isKafkaController } from '../../../../../src/index.js';
import { waitStep } from '../../../../members/index.js';
import type { KafkaNode } from '../nodes/nodes.js';
import { membersIn, type Situation, stayingIn } from '../situation.js';
import type { Step } from './step.js';

const firstController = 1_000;

/**
 * Creates the nodes that do not exist yet. Only the brokers know which ids are registered, and a new node with such an id would
 * get the replicas of another one with an empty disk. Without any broker, nobody can answer.
 */
export function missing(situation: Situation): Step | undefined {
  const missing = missingIn(situation);
  if (missing.length === 0) return undefined;
  const { isBootstrapped, cluster, nodes } = situation;
  if (isBootstrapped && !cluster && nodes.some(({ role }) => role === 'broker'))
    return waitStep(
      'provision',
      'New nodes are created when the brokers answer, because only they know the IDs that are used',
    );
  const names = missing.map(({ group, id }) => `${group} ${id}`);
  return { act: 'add', concern: 'provision', why: `Creating ${names.join(', ')}` };
}

/** Groups and ids of nodes that do not exist yet. Ids are not reused while an object or a registration has them. */
export function missingIn(situation: Situation): readonly Pick<KafkaNode, 'id' | 'group' | 'role' | 'isCombined'>[] {
  const { groups, cluster, nodes } = situation;
  const staying = stayingIn(situation);
  const registered = [
    ...(cluster?.brokers ?? []).map(({ id }) => id),
    ...[...(cluster?.quorum.voters ?? []), ...(cluster?.quorum.observers ?? [])].map(({ id }) => id),
  ];
  const used = [...nodes.map(({ id }) => id), ...registered];
  const next = {
    broker: 1 + Math.max(-1, ...used.filter((id) => id < firstController)),
    controller: 1 + Math.max(firstController - 1, ...used),
  };
  // The first controllers format their volumes with a list of all of them.
  const isFormed = !situation.isBootstrapped && membersIn(situation).some(isStartedController);
  return groups.flatMap((group) => {
    const { name, role, isCombined, replicas } = group;
    if (isKafkaController(group) && isFormed) return [];
    const present = staying.filter((node) => node.group === name).length;
    const fresh = { group: name, role, ...(isCombined && { isCombined }) };
    return Array.from({ length: Math.max(0, replicas - present) }, () => ({ id: next[role]++, ...fresh }));
  });
}

function isStartedController(node: KafkaNode): boolean {
  return isKafkaController(node) && node.pod !== 'none';
}
