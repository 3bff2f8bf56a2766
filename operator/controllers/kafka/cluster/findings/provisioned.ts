import { isKafkaController } from '../../../../../src/index.js';
import { stepOf } from '../../../../members/index.js';
import { isLoading } from '../plan/index.js';
import { isVoter, type Situation, stayingIn } from '../situation.js';
import type { ConditionMark, Observation } from './observation.js';
import { volumeProblem } from './volume-uses.js';

/** Whether the desired nodes exist and run. */
export function provisionedOf(seen: Observation): ConditionMark<'Provisioned'> {
  const { situation } = seen;
  const staying = stayingIn(situation);
  const halt = stepOf(seen, 'controllers');
  if (halt) return { reason: 'ControllersMissing', message: halt.why };
  const problem = volumeProblem(situation);
  if (problem?.reason === 'VolumeNearlyFull') return problem;
  const lost = stepOf(seen, 'lost');
  if (lost) return { reason: 'NodeDeleted', message: lost.why };
  if (problem) return problem;
  const refused = staying.find(({ pod, claim }) => pod === 'none' && claim === 'there');
  if (refused && seen.blocker !== undefined)
    return { reason: 'NodeNotReady', message: `${refused.name} has no Pod: ${seen.blocker}` };
  const bad = staying.find(({ isReady, trouble }) => !isReady && trouble !== undefined);
  if (bad) return { reason: 'NodeNotReady', message: `${bad.name}: ${bad.trouble}` };
  const unreachable = addressFault(seen);
  if (unreachable !== undefined) return { reason: 'AddressPending', message: unreachable };
  const waiting = staying
    .filter(({ isReady }) => !isReady)
    .map((node) => (isLoading(node, situation) ? `${node.name} (loads its log)` : node.name));
  const isMissing = situation.groups.some(
    ({ name, replicas }) => staying.filter(({ group }) => group === name).length < replicas,
  );
  const { missingCertificates = [] } = situation;
  if (missingCertificates.length > 0) {
    const message = `Waiting for the certificates in ${missingCertificates.join(', ')}; no node starts without them`;
    return { reason: 'Provisioning', message };
  }
  const observers = observersOf(situation);
  if (waiting.length === 0 && observers.length > 0) {
    const message = `Waiting until ${observers.join(' and ')} can vote in the metadata quorum`;
    return { reason: 'Provisioning', message };
  }
  if (waiting.length === 0 && !isMissing) return { reason: 'NodesReady' };
  return waiting.length === 0
    ? { reason: 'Provisioning' }
    : { reason: 'Provisioning', message: `Waiting for ${waiting.join(', ')}` };
}

/** Controllers that run and cannot vote, so that the quorum survives the loss of fewer nodes than desired. */
function observersOf(situation: Situation): readonly string[] {
  if (!situation.cluster) return [];
  return stayingIn(situation)
    .filter((node) => isKafkaController(node) && !isVoter(node.id, situation))
    .map(({ name }) => name);
}

/** Why clients in other networks do not reach a broker. */
function addressFault({ situation, resource, hasRoutes }: Observation): string | undefined {
  const pending = stayingIn(situation).find(({ awaits }) => awaits !== undefined);
  if (pending) return `${pending.name} waits, because ${pending.awaits}`;
  const routed = resource.spec.listeners.find(({ external }) => external?.type === 'TlsRoute');
  if (hasRoutes || !routed) return undefined;
  return `Listener ${routed.name} has no routes, because the API server does not have TLSRoutes in gateway.networking.k8s.io/v1; install version 1.5 of the Gateway API or later`;
}
