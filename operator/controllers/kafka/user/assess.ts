import { certificateKind, type KafkaUserResource } from '../../../../imports/index.js';
import { kafkaObjectNames } from '../../../../src/index.js';
import { namespaceEnds } from '../../../kafka/cluster-part.js';
import { missingUserEffect } from '../../../kafka/user-effect.js';
import { principalOf } from '../../../kafka/user-rights.js';
import { keepUntilAnswered } from '../../../members/index.js';
import {
  type Assessment,
  type CallState,
  type Mark,
  noEffectOf,
  type Outcome,
  Secret,
} from '../../../runtime/index.js';
import type { conditions } from './conditions.js';
import { type Plan, planOf, type Step } from './plan.js';
import { situationOf } from './situation.js';
import { needsAuthority, secretNameOf, type UserView } from './view.js';

type UserOutcome = UserView & Pick<Outcome, 'calls'>;
type MarkOf<T extends keyof typeof conditions> = Mark<Extract<keyof (typeof conditions)[T], string>>;

/** Reports how far a user got. */
export function assess(outcome: UserOutcome): Assessment<KafkaUserResource, typeof conditions> {
  const { resource } = outcome;
  const plan = planOf(situationOf(outcome));
  return {
    conditions: keepUntilAnswered(
      { Authenticated: authenticatedOf(outcome, plan), Authorized: authorizedOf(outcome, plan) },
      outcome.polled.user,
      resource,
    ),
    status: { username: principalOf(resource), secretName: secretNameOf(resource) },
  };
}

function authenticatedOf(outcome: UserOutcome, plan: Plan | undefined): MarkOf<'Authenticated'> {
  const { resource, reads, owned, calls } = outcome;
  const { spec } = resource;
  const end = namespaceEnd(outcome, plan);
  if (end !== undefined) return { reason: 'NamespaceTerminating', message: end };
  if (!reads.cluster) {
    const message = `The namespace has no KafkaCluster ${spec.cluster.name}; create it, or name another one in a new KafkaUser`;
    return { reason: 'ClusterNotFound', message };
  }
  if (!plan) return unknown(outcome);
  const call = calls.of('login');
  if (call.state === 'failed' && call.kind !== 'unreachable')
    return { reason: 'Refused', message: `Kafka refuses the credentials: ${call.why}` };
  if (needsAuthority(outcome) && !reads.trusted) return authorityMissing(outcome);
  if (plan.login) return applying(outcome, call, plan.login);
  if (spec.authentication === 'Scram') return { reason: owned.of(Secret).length > 0 ? 'Accepted' : 'Applying' };
  return { reason: hasCertificate(outcome) ? 'Accepted' : 'CertificatePending' };
}

/** Brokers and Secrets that are gone already are no cause. */
function namespaceEnd({ resource, reads }: UserOutcome, plan: Plan | undefined): string | undefined {
  return reads.cluster && plan ? undefined : namespaceEnds(resource, reads);
}

function authorityMissing({ resource, owned }: UserOutcome): MarkOf<'Authenticated'> {
  const { nodeCertificate } = kafkaObjectNames(resource.spec.cluster.name);
  const own = secretNameOf(resource);
  const effect = owned.of(Secret).length > 0 ? `keeps the ca.crt that it has` : 'is not created yet';
  const message = `Secret ${nodeCertificate} does not exist or has no ca.crt, so Secret ${own} ${effect}; check Certificate ${nodeCertificate}`;
  return { reason: 'AuthorityMissing', message };
}

function hasCertificate({ owned }: UserOutcome): boolean {
  const live = owned.of(certificateKind)[0] as { readonly status?: { readonly revision?: number } } | undefined;
  return (live?.status?.revision ?? 0) > 0;
}

function authorizedOf(outcome: UserOutcome, plan: Plan | undefined): MarkOf<'Authorized'> {
  const end = namespaceEnd(outcome, plan);
  if (end !== undefined) return { reason: 'NamespaceTerminating', message: end };
  if (!plan) return unknown(outcome);
  const call = outcome.calls.of('rights');
  if (call.state === 'failed' && call.kind !== 'unreachable')
    return { reason: 'Refused', message: `Kafka refuses ACLs or quotas: ${call.why}` };
  return plan.rights ? applying(outcome, call, plan.rights) : { reason: 'UpToDate' };
}

function applying({ polled }: UserOutcome, call: CallState, step: Step): { reason: 'Applying'; message?: string } {
  const noEffect = polled.user?.known ? noEffectOf(call, missingUserEffect(step, polled.user.value)) : undefined;
  return { reason: 'Applying', ...(noEffect !== undefined && { message: `The request was ${noEffect}` }) };
}

function unknown({ polled }: UserOutcome): { readonly reason: 'ClusterUnknown'; readonly message?: string } {
  const why = polled.user && !polled.user.known ? polled.user.why : undefined;
  return { reason: 'ClusterUnknown', ...(why !== undefined && { message: `The brokers do not answer: ${why}` }) };
}
