import type { CertificateResource } from '../../../../../imports/index.js';
import { type AdoptionReason, listed, waitingMark } from '../../../../consumers/adoption.js';
import { type CallStates, conditionOf, type Mark, noEffectOf } from '../../../../runtime/index.js';
import type { conditions } from '../conditions.js';
import { type Adoption, type AdoptionInput, rolloutCall } from '../consumers/adoption.js';
import { consumersIn } from '../consumers/content.js';

type Adopted = Mark<AdoptionReason | 'Delivered'>;

interface Seen extends Pick<AdoptionInput, 'resource' | 'polled'> {
  readonly calls: CallStates;
  /** Undefined without consumers, and until there is a certificate. */
  readonly adoption: Adoption | undefined;
}

/** Whether each consumer uses the certificate. Undefined without consumers, and until there is a certificate. */
export function adoptedOf({ resource, polled, calls, adoption }: Seen): Adopted | undefined {
  if (!adoption) return undefined;
  const { isComplete, isRecorded, states } = adoption;
  if (isComplete) return completeMark(resource);
  if (!states) return unknownMark({ resource, polled }, isRecorded);
  const call = calls.of(rolloutCall);
  const refusal = call.state === 'failed' ? call.why : undefined;
  return waitingMark({ states, content: 'certificate', refusal, noEffect: noEffectOf(call) });
}

/** A process that is not rolled is seen only at a port. Without one, nothing tells what it uses. */
function completeMark({ spec }: CertificateResource): Adopted {
  const { workloads, ports } = consumersIn(spec);
  const unseen = workloads.filter(({ restarts }) => !restarts);
  if (unseen.length === 0 || ports.length > 0) return { reason: 'Current' };
  const message = `The kubelet has had the time to replace the files of ${listed(unseen)}; add its Service to spec.consumers to check what it serves`;
  return { reason: 'Delivered', message };
}

/** What was reported about the same content stays while nothing newer is known. */
function unknownMark({ resource, polled }: Pick<Seen, 'resource' | 'polled'>, isSame: boolean): Adopted {
  const before = conditionOf<typeof conditions>(resource, 'Adopted');
  if (isSame && before && before.status !== 'True')
    return { reason: before.reason as AdoptionReason, message: before.message };
  const failed = [polled.workloads, polled.handshakes].flatMap((one) => (one && !one.known ? [one.why] : []));
  const [why] = failed;
  return { reason: 'ConsumersUnknown', ...(why !== undefined && { message: `The consumers cannot be read: ${why}` }) };
}
