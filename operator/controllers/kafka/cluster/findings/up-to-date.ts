import { sentence, stepOf } from '../../../../members/index.js';
import { isOutdated } from '../plan/index.js';
import { type Situation, stayingIn } from '../situation.js';
import type { ConditionMark, Observation } from './observation.js';

/** Whether every node runs the current spec. */
export function upToDateOf(seen: Observation): ConditionMark<'UpToDate'> {
  const { situation, call } = seen;
  const halt = stepOf(seen, 'controllers');
  if (halt) return { reason: 'RolloutStalled', message: halt.why };
  const config = stepOf(seen, 'config');
  if (config && call.state === 'failed' && call.kind === 'terminal')
    return {
      reason: 'PropertyRefused',
      message: `Kafka refuses a property: ${call.why}; correct or remove it in spec.config`,
    };
  const staying = stayingIn(situation);
  const old = staying.filter((node) => isOutdated(node, situation));
  const step = stepOf(seen, 'update');
  if (old.length === 0 && !step) {
    if (config) return { reason: 'RollingOut', message: sentence(config.why) };
    const { stale = [] } = situation.presented ?? {};
    if (stale.length === 0) return overriddenIn(situation) ?? { reason: 'UpToDate' };
    return { reason: 'RollingOut', message: `${stale.join(', ')} load renewed certificates, without a restart` };
  }
  const left = `${staying.length - old.length} of ${staying.length} nodes run the current spec`;
  const bad = staying.find((node) => !node.isReady && node.trouble !== undefined && !isOutdated(node, situation));
  if (bad && step?.act === 'wait') return { reason: 'RolloutStalled', message: `${left}; ${bad.name}: ${bad.trouble}` };
  return { reason: 'RollingOut', message: [left, ...(step ? [step.why] : []), ...hookProblems(seen)].join('; ') };
}

/** The most brokers whose properties a message names. */
const mostNamed = 5;

/** What single brokers have instead of the spec. The operator removes nothing: it may be the throttle of an incident. */
function overriddenIn({ cluster, nodes }: Situation): ConditionMark<'UpToDate'> | undefined {
  const all = Object.entries(cluster?.overrides ?? {});
  if (all.length === 0) return undefined;
  const named = all.slice(0, mostNamed).map(([id, names]) => {
    const name = nodes.find((node) => node.role === 'broker' && node.id === Number(id))?.name ?? `broker ${id}`;
    const command = `ConfigCommand --alter --entity-type brokers --entity-name ${id} --delete-config ${names.join(',')}`;
    return `${name} has its own ${names.join(', ')}, which \`${command}\` removes`;
  });
  const more = all.length > mostNamed ? [`${all.length - mostNamed} more brokers have properties of their own`] : [];
  const found = [...named, ...more].join('; ');
  return { reason: 'BrokerOverridden', message: `Another user set dynamic properties that outrank the spec: ${found}` };
}

/** Why the hook of a restart has not succeeded. */
function hookProblems({ hook, situation: { restart } }: Observation): readonly string[] {
  if (hook?.problem !== undefined) return [`the hook has not succeeded: ${hook.problem}`];
  const hooks = ['preRestart', 'postRestart'] as const;
  const expired = hooks.filter((one) => restart?.[one] === 'Expired');
  return expired.map((one) => `the hook ${one} of ${restart?.node} did not succeed within hooks.deadline`);
}
