import type { CertificateResource } from '../../../../imports/index.js';
import { handshakes } from '../../../consumers/handshakes.js';
import { workloads } from '../../../consumers/workloads.js';
import type { PollBuilder, PollRequest, Secret } from '../../../runtime/index.js';
import { type PrivateKeyQuestion, privateKey } from '../ports/private-key.js';
import { type SigningQuestion, signing } from '../ports/signing.js';
import { handshakesAsked, workloadsAsked } from './consumers/content.js';
import { questionsOf } from './step.js';
import { type reads, type StableView, situationOf } from './view.js';

/** The external sources that a Certificate polls while a certificate is being issued, and until its consumers use it. */
export const polls = (ask: PollBuilder<CertificateResource, typeof Secret, ReturnType<typeof reads>>) => ({
  privateKey: ask(privateKey, privateKeyAsked),
  signed: ask(signing, signingAsked),
  workloads: ask(workloads, workloadsAsked),
  handshakes: ask(handshakes, handshakesAsked),
});

/** Milliseconds: the next reconcile stores the key. RSA keys of 4096 bits take seconds on a busy machine. */
const keyTimes = { interval: 3_600_000, timeout: 30_000 };
/** Milliseconds: a rejected answer is asked for again. */
const signingTimes = { interval: 60_000, timeout: 30_000 };

/** Asks for a private key. */
function privateKeyAsked(view: StableView): PollRequest<PrivateKeyQuestion> | undefined {
  const { privateKey: question } = questionsOf(view);
  return question && { question, ...keyTimes };
}

/** Asks for a certificate. The source gets the key of the CA from the Secret that is named. */
function signingAsked(view: StableView): PollRequest<SigningQuestion> | undefined {
  const { signing: question } = questionsOf(view);
  const { issuer } = situationOf(view);
  if (!question || issuer.is !== 'available') return undefined;
  return { question, ...signingTimes, secret: issuer.secret };
}
