import {
  type CallState,
  conditionOf,
  type Mark,
  noEffectOf,
  pollFailureOf,
  timestampOf,
} from '../../../../runtime/index.js';
import type { AnyIssuer } from '../../issuer-reference/issuer-part.js';
import type { AccountAnswer } from '../../ports/acme.js';
import { type AcmeSettings, accountSecretName, recordedAccount } from '../account/acme-account.js';
import { serverAdvice } from '../account/server-advice.js';
import { usable } from '../authority/authority-times.js';
import type { conditions } from '../conditions.js';
import type { AccountSituation, GeneratedSituation, Situation, UserProvidedSituation } from '../situation.js';

type Available = Mark<keyof (typeof conditions)['Available']>;

/** Whether the issuer can sign certificates. @param call the call that creates or changes its account */
export function availableOf(situation: Situation, call: CallState): Available {
  switch (situation.is) {
    case 'generated':
      return generatedMark(situation);
    case 'userProvided':
      return userProvidedMark(situation);
    case 'account':
      return accountMark(situation, call);
  }
}

function generatedMark({ stored: { current }, now }: GeneratedSituation): Available {
  if (usable(current, now)) return { reason: 'Available' };
  return { reason: current !== undefined && current.to <= now ? 'Expired' : 'GeneratingCA' };
}

function userProvidedMark({ secret, secretRef, problem, authority, now }: UserProvidedSituation): Available {
  const title = `Secret ${secretRef.name} of namespace ${secretRef.namespace}`;
  if (!secret)
    return {
      reason: 'SecretNotFound',
      message: `${title} does not exist; create it with tls.crt and tls.key of your CA`,
    };
  if (problem !== undefined) return { reason: 'InvalidCA', message: `${title}: ${problem}` };
  if (!authority) return { reason: 'InvalidCA' };
  const { from, to } = authority;
  if (to <= now) return { reason: 'Expired' };
  if (from <= now) return { reason: 'Available' };
  const message = `The validity of the CA certificate starts at ${timestampOf(from)}; check the clocks`;
  return { reason: 'InvalidCA', message };
}

function accountMark({ resource, acme, key, account: answer, binding }: AccountSituation, call: CallState): Available {
  if (key === undefined) return { reason: 'CreatingAccount' };
  if (!answer?.known) {
    if (recordedAccount(resource)) return { reason: 'AccountReady' };
    const why = pollFailureOf(answer);
    if (why === undefined) return { reason: 'CreatingAccount' };
    return { reason: 'ServerUnavailable', message: `The ACME server could not be asked: ${serverAdvice(why)}` };
  }
  const { account, refusal, requiresExternalAccount } = answer.value;
  const secretName = accountSecretName(resource.metadata.name);
  if (refusal !== undefined)
    return {
      reason: 'AccountDeactivated',
      message: `The ACME server refuses the account: ${refusal}; delete Secret ${secretName} to create another account`,
    };
  if (account) return accountState(answer.value, acme, secretName);
  if (requiresExternalAccount && !acme.externalAccount) return { reason: 'ExternalAccountRequired' };
  const why = acme.externalAccount && pollFailureOf(binding);
  if (why !== undefined)
    return { reason: 'AccountRejected', message: `The external account could not be bound: ${why}` };
  const noEffect = noEffectOf(call, { wanted: 'an account', seen: 'none' });
  if (noEffect !== undefined) return { reason: 'CreatingAccount', message: `The request was ${noEffect}` };
  if (call.state !== 'failed') return lostMark(resource) ?? { reason: 'CreatingAccount' };
  return { reason: 'AccountRejected', message: `The ACME server did not create the account: ${call.why}` };
}

/** An account that the status records and the server lacks. Reported until the next account exists. Undefined of a first one. */
function lostMark(resource: AnyIssuer): Available | undefined {
  const { url } = recordedAccount(resource) ?? {};
  if (url !== undefined)
    return {
      reason: 'AccountLost',
      message: `The ACME server no longer has the account ${url}; the operator creates another one`,
    };
  const before = conditionOf<typeof conditions>(resource, 'Available');
  return before?.reason === 'AccountLost' ? { reason: 'AccountLost', message: before.message } : undefined;
}

function accountState({ account, profiles }: AccountAnswer, { profile }: AcmeSettings, secret: string): Available {
  if (account && account.status !== 'valid')
    return {
      reason: 'AccountDeactivated',
      message: `The account is ${account.status}; delete Secret ${secret} to create another account`,
    };
  if (profile === undefined || Object.hasOwn(profiles, profile)) return { reason: 'AccountReady' };
  const known = Object.keys(profiles).toSorted().join(', ') || 'none';
  return {
    reason: 'ProfileNotFound',
    message: `The ACME server has no profile ${profile}; set spec.acme.profile to one that it has: ${known}`,
  };
}
