import type { CallState } from '../../../../runtime/index.js';
import { allowTopicsAnnotation } from '../annotations/unclaimed-topics.js';
import { type ConditionMark, listed, type Observation, unreachable } from './observation.js';

/** Whether each topic that is deleted with its KafkaTopic has one. It harms nobody, so `Ready` does not depend on it. */
export function topicsClaimedOf({ situation }: Observation, call: CallState): ConditionMark<'TopicsClaimed'> {
  const { cluster, silence, isBootstrapped, topics } = situation;
  if (!cluster) return isBootstrapped ? unreachable(silence) : { reason: 'Initializing' };
  const { unclaimed = [], allowed = [], request } = topics ?? {};
  if (unclaimed.length > 0) {
    const message = `No KafkaTopic has ${listed(unclaimed)}; create the KafkaTopics, and delete them if the topics are to be deleted, or name the topics in the annotation ${allowTopicsAnnotation}`;
    return { reason: 'TopicsUnclaimed', message };
  }
  if (request && call.state === 'failed' && call.kind !== 'unreachable') {
    const { claimed, released, unclaimed: left } = request;
    const message = `The marks of ${listed([...claimed, ...released, ...left])} are not changed: ${call.why}`;
    return { reason: 'RequestFailed', message };
  }
  if (allowed.length === 0) return { reason: 'Claimed' };
  const message = `The annotation ${allowTopicsAnnotation} allows ${listed(allowed)}, which no KafkaTopic has`;
  return { reason: 'TopicsAllowed', message };
}
