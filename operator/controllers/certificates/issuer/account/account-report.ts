import type { CallState, ObjectName } from '../../../../runtime/index.js';
import { pollValueOf } from '../../../../runtime/index.js';
import type { AnyIssuer } from '../../issuer-reference/issuer-part.js';
import { type AccountInput, type AcmeSettings, hasContact, recordedAccount } from './acme-account.js';

/** Milliseconds: reconciles at once, because the next step follows from the status that this reconcile writes. */
const atOnce = 1;

/** What the status of an account follows from. */
export interface AccountReportInput extends Pick<AccountInput, 'resource'> {
  readonly acme: AcmeSettings;
  /** The stored private key of the account. */
  readonly key: string | undefined;
  /** The answer of the server about the account. */
  readonly account: AccountInput['polled']['account'];
}

/** The account in the status of an issuer, and that its key is to be generated before that happens. */
export function accountReport(
  { resource, acme, key, account: answer }: AccountReportInput,
  { call, secretRef }: { readonly call: CallState; readonly secretRef: ObjectName },
) {
  if (key === undefined)
    return {
      status: { issuing: 'Missing' } as const,
      ...(resource.status?.issuing === undefined && { requeueAfter: atOnce }),
    };
  const known = pollValueOf(answer)?.account;
  // A refused account is still the one of the key.
  const isAnswered = answer?.known && answer.value.refusal === undefined;
  const url = isAnswered ? known?.url : recordedAccount(resource)?.url;
  const email = contactOf(
    resource,
    acme,
    known !== undefined && (call.state === 'sent' || hasContact(known, resource)),
  );
  const account = url !== undefined && { server: acme.server, url, ...(email !== undefined && { email }) };
  return { status: { secretRef, ...(account && { account }) } };
}

/** The contact that the server has, or that was sent to it. */
function contactOf(resource: AnyIssuer, { email }: AcmeSettings, isSent: boolean): string | undefined {
  return email !== undefined && isSent ? email : recordedAccount(resource)?.email;
}
