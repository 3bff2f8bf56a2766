import { podLabels, proxyLabels } from '../../../../../src/index.js';
import { conditionOf, type Mark, Service } from '../../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import type { Situation } from '../situation.js';
import { leadsTo, type TrialView } from '../view.js';

/** Milliseconds after which a proxy that accepted a route is ready for requests. */
const readyAfter = 10_000;
/** Milliseconds until clients use the proxies. The Service is switched to them when they are ready. */
const ledAfter = readyAfter + 5_000;

/**
 * Whether the requests go through a gateway. The Service is switched to the proxies only after they are ready, so
 * clients that connect after `TrafficSplit` reach the proxies. The reason then stays while the gateway accepts the
 * route, even if the route changes.
 */
export function routedOf(
  { resource, name, traffic }: Situation,
  view: Pick<TrialView, 'siblings' | 'now'>,
): Mark<keyof (typeof conditions)['Routed']> {
  const service = () => view.siblings.one(Service);
  const said = conditionOf<typeof conditions>(resource, 'Routed');
  if (!resource.spec.lifecycle) {
    return { reason: leadsTo(service(), podLabels(name)) ? 'SwitchingToPods' : 'TrafficSplit' };
  }
  if (traffic.unsplit) return { reason: traffic.unsplit };
  if (!traffic.isTaken) return { reason: 'WaitingForGateway' };
  if (said?.status === 'True') return { reason: 'TrafficSplit' };
  // The time is a fact of this assessment only while the Service is being switched.
  const taken = view.now.getTime() - traffic.takenAt;
  if (taken < readyAfter && said?.reason !== 'SwitchingToGateway') return { reason: 'WaitingForGateway' };
  const isLed = !traffic.isHere || (taken >= ledAfter && leadsTo(service(), proxyLabels(traffic.gateway.name)));
  return { reason: isLed ? 'TrafficSplit' : 'SwitchingToGateway' };
}
