import { shortList } from '../runtime/kubernetes/truncate.js';
import { contentHash } from './annotation.js';
import type { ConsumerPhase, ConsumerState } from './consumer-state.js';
import type { RolloutRequest, WorkloadsAnswer, WorkloadsQuestion } from './workloads.js';

/** The state of a consumer, with its kind and name for messages. */
export interface NamedState extends ConsumerState {
  readonly kind: string;
  readonly name: string;
}

/**
 * The reasons of the condition `Adopted`.
 * @param content what the Secret has, such as "credential"
 */
export const adoptionReasons = (content: string) =>
  ({
    Current: ['True', `Each consumer uses the ${content}`],
    RollingOut: ['Unknown', 'Consumers are being rolled', 'Wait for the consumers in the message.'],
    ConsumersUnknown: [
      'Unknown',
      'The consumers have not been read yet',
      'Wait. If it persists, check the permissions of the operator for workloads and Services.',
    ],
    ConsumerFailed: [
      'False',
      `A consumer does not come up with the new ${content}`,
      `Fix the workload in the message, or reload the server. If a process does not load the files again, set \`reload: Restart\`, or \`Signal\` with the [container that sends it](docs/kinds/rotation/README.md#consumers). A mount with \`subPath\` never changes. The earlier ${content} stays valid until then.`,
    ],
    ConsumerMissing: ['False', 'A consumer does not exist', 'Create the consumer, or remove it from `consumers`.'],
    RolloutRefused: [
      'False',
      'A consumer cannot be rolled',
      'Fix the admission policy or the permission in the message.',
    ],
  }) as const;

/** A reason of the condition `Adopted`. */
export type AdoptionReason = keyof ReturnType<typeof adoptionReasons>;

/** A reason with its message. */
export interface AdoptionMark {
  readonly reason: AdoptionReason;
  readonly message?: string;
}

/** Identifies what each consumer must have: the content of the Secret, and who the consumers are. */
export function adoptionOf(content: string, consumers: readonly object[]): string {
  return contentHash({ content, consumers: JSON.stringify(consumers) });
}

/**
 * Whether each consumer uses the content. One that was current once has no earlier content left, whatever its owner rolls
 * out since.
 * @param phases undefined while they are unknown
 * @param wasAdopted each consumer was seen with the same content
 */
export function isAdopted(phases: readonly ConsumerPhase[] | undefined, wasAdopted: boolean): boolean {
  if (!phases) return wasAdopted;
  return phases.every((phase) => phase === 'Current' || (wasAdopted && (phase === 'RollingOut' || phase === 'Failed')));
}

/** How consumers that do not all use the content yet are reported. */
export interface WaitingConsumers {
  readonly states: readonly NamedState[];
  /** What the Secret has, such as "credential". */
  readonly content: string;
  /** Why the last rollout was refused. */
  readonly refusal?: string | undefined;
  /** That rollouts had no effect, as a part of a sentence. */
  readonly noEffect?: string | undefined;
}

/** The condition `Adopted` while a consumer does not use the content. What needs a person comes first. */
export function waitingMark({ states, content, refusal, noEffect }: WaitingConsumers): AdoptionMark {
  if (refusal !== undefined && states.some(({ phase }) => phase === 'Outdated'))
    return { reason: 'RolloutRefused', message: `Consumers cannot be rolled: ${refusal}` };
  const named = (phase: ConsumerState['phase']) => states.filter((one) => one.phase === phase);
  const missing = named('Missing');
  if (missing.length > 0) return { reason: 'ConsumerMissing', message: absenceOf(missing) };
  const failed = named('Failed');
  if (failed.length > 0) return { reason: 'ConsumerFailed', message: failed.map(({ why }) => why).join('; ') };
  const rest = states.filter(({ phase }) => phase !== 'Current');
  const [why] = rest.flatMap((one) => one.why ?? []);
  const cause = why === undefined ? '' : `: ${why}`;
  const sends = noEffect === undefined ? '' : `; the request to roll them was ${noEffect}`;
  return {
    reason: 'RollingOut',
    message: `Waiting for ${listed(rest)} to run with the new ${content}${cause}${sends}`,
  };
}

/** A Service can exist without the port. */
function absenceOf(missing: readonly NamedState[]): string {
  const names = missing.map(({ kind, name }) => {
    const [service, port] = name.split(':');
    return port === undefined ? `${kind} ${name}` : `port ${port} of ${kind} ${service}`;
  });
  const [verb, they] = names.length === 1 ? ['does', 'it'] : ['do', 'them'];
  return `${shortNames(names)} ${verb} not exist; create ${they}, or remove ${they} from spec.consumers`;
}

/** Names of consumers, in their order. A long list is cut. */
export function listed(states: readonly Pick<NamedState, 'kind' | 'name'>[]): string {
  return shortNames(states.map(({ kind, name }) => `${kind} ${name}`));
}

/** Names in their order. A long list is cut. */
export function shortNames(names: readonly string[]): string {
  return shortList(names, 5);
}

/** Rolls the workloads that were not rolled since the content changed. Undefined if there are none. */
export function rolloutOf(
  { hash, states }: WorkloadsAnswer,
  { namespace, annotation }: Pick<WorkloadsQuestion, 'namespace' | 'annotation'>,
): RolloutRequest | undefined {
  const outdated = states.flatMap(({ kind, name, uid, phase }) =>
    phase === 'Outdated' && uid !== undefined ? [{ kind, name, uid }] : [],
  );
  return outdated.length === 0 ? undefined : { namespace, annotation, hash, workloads: outdated };
}
