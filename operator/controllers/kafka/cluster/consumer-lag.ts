import { consumerGroupLimits } from '../../../../crds/index.js';
import type { KafkaClusterResource } from '../../../../imports/index.js';
import { toTwoDigits } from '../../../members/index.js';
import { type Polled, pollFailureOf } from '../../../runtime/index.js';
import type { ConsumersAnswer } from '../ports/consumers.js';

type Status = NonNullable<KafkaClusterResource['status']>;

/** A lag that differs by at most this part from the reported one is not reported. */
const tolerance = 0.25;

/**
 * The lag of consumer groups for the status. It is absent while the brokers do not answer, because an old lag hides a consumer
 * that stopped.
 */
export function consumerLagOf(
  { status }: Pick<KafkaClusterResource, 'status'>,
  polled: Polled<ConsumersAnswer> | undefined,
): Pick<Status, 'consumerGroups' | 'consumerGroupsOmitted'> {
  const { consumerGroups, consumerGroupsOmitted } = status ?? {};
  if (!polled) return {};
  if (!polled.known) {
    if (pollFailureOf(polled) !== undefined || !consumerGroups) return {};
    return { consumerGroups, ...(consumerGroupsOmitted !== undefined && { consumerGroupsOmitted }) };
  }
  const { lags, omitted } = polled.value;
  const shown = lags.filter(({ group }) => group.length <= consumerGroupLimits.name);
  const reported = new Map(consumerGroups?.map(({ group, topic, lag }) => [JSON.stringify([group, topic]), lag]));
  return {
    consumerGroups: shown.map(({ group, topic, lag }) => ({
      ...{ group, topic },
      lag: steady(lag, reported.get(JSON.stringify([group, topic]))),
    })),
    consumerGroupsOmitted: omitted + lags.length - shown.length,
  };
}

/** The reported lag while the new one is close to it. 0 is always reported: the group has caught up. */
function steady(lag: number, before: number | undefined): number {
  const isClose = before !== undefined && lag > 0 && before > 0 && Math.abs(lag - before) <= tolerance * before;
  return isClose ? before : toTwoDigits(lag);
}
