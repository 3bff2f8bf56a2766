import { type Assessment, type CallState, type Mark, pollFailureOf } from '../../../runtime/index.js';
import type { AnyIssuer } from '../issuer-reference/issuer-part.js';
import type { AccountAnswer } from '../ports/acme.js';
import {
  type AcmeSettings,
  accountKeyIn,
  accountSecretName,
  accountSecretRef,
  hasContact,
  recordedAccount,
} from './acme-account.js';
import type { conditions } from './conditions.js';
import { serverAdvice } from './server-advice.js';
import type { IssuerView } from './view.js';

type Found = Assessment<AnyIssuer, typeof conditions>;
type Available = Mark<keyof (typeof conditions)['Available']>;

/** What the account of an issuer is judged by. */
export interface AccountView extends IssuerView {
  readonly call: CallState;
  /** Namespace of the Secrets of a ClusterIssuer. */
  readonly home: string;
}

/** Milliseconds: reconciles at once, because the next step follows from the status that this reconcile writes. */
const atOnce = 1;

/** Reports the ACME account of an issuer, and records that its key is to be generated before that happens. */
export function assessAccount(view: AccountView, acme: AcmeSettings): Found {
  const { home, polled, resource } = view;
  if (accountKeyIn(view) === undefined)
    return {
      conditions: { Available: { reason: 'CreatingAccount' } },
      status: { issuing: 'Missing' },
      ...(resource.status?.issuing === undefined && { requeueAfter: atOnce }),
    };
  const recorded = recordedAccount(resource);
  const known = polled.account?.known ? polled.account.value.account : undefined;
  const isUnknown = polled.account?.known !== true;
  const url = isUnknown ? recorded?.url : known?.url;
  const email = contactOf(view, acme);
  const account = url !== undefined && { server: acme.server, url, ...(email !== undefined && { email }) };
  return {
    conditions: { Available: availability(view, acme) },
    status: { secretRef: accountSecretRef(resource, home), ...(account && { account }) },
  };
}

/** The contact that the server has, or that was sent to it. */
function contactOf({ call, polled, resource }: AccountView, { email }: AcmeSettings): string | undefined {
  const account = polled.account?.known ? polled.account.value.account : undefined;
  const isSent =
    email !== undefined && account !== undefined && (call.state === 'sent' || hasContact(account, resource));
  return isSent ? email : recordedAccount(resource)?.email;
}

function availability({ call, polled, resource }: AccountView, acme: AcmeSettings): Available {
  const { account: answer, binding } = polled;
  if (!answer?.known) {
    if (recordedAccount(resource)) return { reason: 'AccountReady' };
    const why = pollFailureOf(answer);
    if (why === undefined) return { reason: 'CreatingAccount' };
    return { reason: 'ServerUnavailable', message: `The ACME server could not be asked: ${serverAdvice(why)}` };
  }
  const { account, requiresExternalAccount } = answer.value;
  if (account) return stateOf(answer.value, acme, accountSecretName(resource.metadata.name));
  if (requiresExternalAccount && !acme.externalAccount) return { reason: 'ExternalAccountRequired' };
  const why = acme.externalAccount && pollFailureOf(binding);
  if (why !== undefined)
    return { reason: 'AccountRejected', message: `The external account could not be bound: ${why}` };
  if (call.state !== 'failed') return { reason: 'CreatingAccount' };
  return { reason: 'AccountRejected', message: `The ACME server did not create the account: ${call.why}` };
}

function stateOf({ account, profiles }: AccountAnswer, { profile }: AcmeSettings, secret: string): Available {
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
