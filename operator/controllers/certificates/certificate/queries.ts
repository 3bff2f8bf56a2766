import type { CertificateResource } from '../../../../imports/index.js';
import { handshakes } from '../../../consumers/handshakes.js';
import { workloads } from '../../../consumers/workloads.js';
import type { PollBuilder, PollRequest, Secret } from '../../../runtime/index.js';
import { failuresIn } from '../order/order-step.js';
import { renewalInfoAsked } from '../order/renewal-info.js';
import { acmeOrder, type OrderQuestion } from '../ports/acme.js';
import { type PrivateKeyQuestion, privateKey } from '../ports/private-key.js';
import { renewalInfo } from '../ports/renewal-info.js';
import { type SigningQuestion, signing } from '../ports/signing.js';
import { type SigningRequestQuestion, signingRequest } from '../ports/signing-request.js';
import { handshakesAsked, workloadsAsked } from './consumers/content.js';
import { questionsOf } from './step.js';
import { nextKeyIn, nextSecretName, type reads, type StableView, situationOf } from './view.js';

/** The external sources that a Certificate polls while a certificate is being issued, and until its consumers use it. */
export const polls = (ask: PollBuilder<CertificateResource, typeof Secret, ReturnType<typeof reads>>) => ({
  privateKey: ask(privateKey, privateKeyAsked),
  signed: ask(signing, signingAsked),
  workloads: ask(workloads, workloadsAsked),
  handshakes: ask(handshakes, handshakesAsked),
  request: ask(signingRequest, requestAsked),
  order: ask(acmeOrder, orderAskedOf),
  renewalInfo: ask(renewalInfo, renewalInfoAsked),
});

/** Milliseconds: the next reconcile stores the key. RSA keys of 4096 bits take seconds on a busy machine. */
const keyTimes = { interval: 3_600_000, timeout: 30_000 };
/** Milliseconds: a rejected answer is asked for again. */
const signingTimes = { interval: 60_000, timeout: 30_000 };

/** Milliseconds for the requests of an answer. */
const orderTimeout = 30_000;
/** Milliseconds, at least. An answer takes two requests and two more for each pending name. */
const orderInterval = { least: 5_000, perName: 500, afterFailure: 900_000 };

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

/** Asks for a signing request. The source gets the key of the certificate from the Secret that has it. */
function requestAsked(view: StableView): PollRequest<SigningRequestQuestion> | undefined {
  const { request: question } = questionsOf(view);
  const { metadata, spec } = view.resource;
  const secret = nextKeyIn(view) === '' ? spec.secretName : nextSecretName(metadata.name);
  return question && { question, ...keyTimes, secret };
}

/** Asks about the order. The source gets the key of the account. */
function orderAskedOf(view: StableView): PollRequest<OrderQuestion> | undefined {
  const { order: question } = questionsOf(view);
  const { issuer } = situationOf(view);
  if (!question || issuer.is !== 'acme') return undefined;
  const { least, perName, afterFailure } = orderInterval;
  const isWaiting = question.order === undefined && failuresIn(view.resource).count > 0;
  const interval = isWaiting ? afterFailure : Math.max(least, perName * question.names.length);
  return { question, interval, timeout: orderTimeout, secret: issuer.secret };
}
