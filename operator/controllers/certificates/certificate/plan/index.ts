import { certificatesIn, isSignedBy, parsed } from '../../../../certificates/reading.js';
import { canIssue } from '../../issuer-reference/issuer-state.js';
import type { TlsTexts } from '../../secrets/texts.js';
import { keyForNext, type Situation } from '../situation.js';
import { type Cause, causeOf } from './causes.js';
import { ordered } from './ordered.js';
import { signed } from './signed.js';
import type { Step } from './step.js';
import { storedKey } from './stored-key.js';

export type { Cause } from './causes.js';

/** What a reconcile renders, and why. */
export interface Plan {
  /** Why a certificate must be issued. Undefined if the present one can stay. */
  readonly cause?: Cause | undefined;
  /** The next step. Undefined while no certificate is issued. */
  readonly step?: Step | undefined;
  /** What the Secret must have. Undefined if it does not exist and nothing can be written yet. */
  readonly secret?: TlsTexts | undefined;
  /** The key of the certificate that is being issued, which must be stored. */
  readonly nextKey?: string | undefined;
}

/** A rule finds the step that it is about, in a situation in which a certificate is issued. */
type Rule = (situation: Situation) => Step | undefined;

/** The rules, in order of safety: the first step is taken. */
const rules: readonly Rule[] = [storedKey, ordered, signed];

/**
 * Plans the next step. Without a record in the status, the Secret stays as it is, whatever the time. A certificate is
 * replaced only by one that was checked.
 */
export function planOf(situation: Situation): Plan {
  const cause = causeOf(situation, situation.now);
  const isRecorded = situation.resource.status?.issuing !== undefined && canIssue(situation.issuer);
  const step = cause && isRecorded ? stepOf(situation) : undefined;
  const secret = step?.act === 'issue' ? step.texts : keptOf(situation);
  return { cause, step, secret, nextKey: step && nextKeyFor(step, situation) };
}

function stepOf(situation: Situation): Step | undefined {
  for (const rule of rules) {
    const step = rule(situation);
    if (step) return step;
  }
  return undefined;
}

/** A key that stays in the Secret of the certificate is stored already. */
function nextKeyFor(step: Step, situation: Situation): string | undefined {
  if (step.act === 'storeKey') return step.key;
  const key = step.act === 'issue' ? undefined : keyForNext(situation);
  return key === situation.secret?.key ? undefined : key;
}

/**
 * What the Secret has, with the present CA certificates. Those of another issuer replace the earlier ones only together
 * with the certificate.
 */
function keptOf({ secret, certificate, issuer }: Situation): TlsTexts | undefined {
  if (!secret || issuer.is !== 'available') return secret;
  const authorities = certificatesIn(`${issuer.chain}${issuer.trusted}`).flatMap((pem) => parsed(pem) ?? []);
  const isTrusted = certificate === undefined || authorities.some((authority) => isSignedBy(certificate, authority));
  return isTrusted ? { ...secret, trusted: issuer.trusted } : secret;
}
