import type { CertificateResource } from '../../../../imports/index.js';
import { certificatesIn, publicKeyOf, validityOf } from '../../../certificates/reading.js';
import { hashAnnotation } from '../../../consumers/annotation.js';
import { type HandshakesQuestion, handshakes } from '../../../consumers/handshakes.js';
import { type WorkloadsQuestion, workloads } from '../../../consumers/workloads.js';
import { conditionOf, type PollBuilder, type PollRequest } from '../../../runtime/index.js';
import { failuresIn, orderAsked } from '../order/certificate-order.js';
import { acmeOrder, type OrderQuestion } from '../ports/acme.js';
import { type PrivateKeyQuestion, privateKey } from '../ports/private-key.js';
import { type RenewalInfoQuestion, renewalInfo } from '../ports/renewal-info.js';
import { type SigningQuestion, signing } from '../ports/signing.js';
import { type SigningRequestQuestion, signingRequest } from '../ports/signing-request.js';
import { isRecorded } from '../renewal/renewal-info.js';
import { requestIn } from '../request/certificate-request.js';
import type { conditions } from './conditions.js';
import { type Content, consumersIn, contentIn } from './consumers/content.js';
import type { owns, reads } from './declarations.js';
import { isAwaited, keyForNext, type StableSituation, serialIn, stableSituationOf } from './situation.js';
import { nextKeyIn, nextSecretName, ownSecretIn, type StableView } from './view.js';

/** The external sources that a Certificate polls while a certificate is being issued, and until its consumers use it. */
export const polls = (ask: PollBuilder<CertificateResource, (typeof owns)[number], ReturnType<typeof reads>>) => ({
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

/** Milliseconds. The source announces when the server wants the next request, which is at most this. */
const renewalInfoTimes = { interval: 86_400_000, timeout: 30_000 };

/** Milliseconds between questions about consumers. */
const consumerIntervals = {
  /** While a consumer is being rolled. */
  rolling: 5_000,
  /** While a person must act. */
  waiting: 30_000,
  /** At rest. A rollout that somebody else undid is noticed after it. */
  adopted: 3_600_000,
};

/** A certificate that is being issued. */
interface Awaited {
  readonly situation: StableSituation;
  /** SubjectPublicKeyInfo of the stored key, in base64. Undefined until a key is stored. */
  readonly publicKey: string | undefined;
}

/**
 * The certificate that is being issued, as the status records it: first its key is asked for, and after the key is stored,
 * the certificate. Undefined if nothing is to be issued.
 */
function awaitedIn(view: StableView): Awaited | undefined {
  const situation = stableSituationOf(view);
  if (!isAwaited(situation)) return undefined;
  const key = keyForNext(situation);
  return { situation, publicKey: key === undefined ? undefined : publicKeyOf(key) };
}

/** Asks for a private key. */
function privateKeyAsked(view: StableView): PollRequest<PrivateKeyQuestion> | undefined {
  const awaited = awaitedIn(view);
  if (!awaited || awaited.publicKey !== undefined) return undefined;
  const { privateKey: kind } = requestIn(view.resource.spec);
  return { question: { ...kind, replaces: serialIn(awaited.situation) }, ...keyTimes };
}

/** Asks for a certificate. The source gets the key of the CA from the Secret that is named. */
function signingAsked(view: StableView): PollRequest<SigningQuestion> | undefined {
  const { situation, publicKey } = awaitedIn(view) ?? {};
  if (situation?.issuer.is !== 'available' || publicKey === undefined) return undefined;
  const { certificate, issuer, resource } = situation;
  const { names, usages, isCA, duration } = requestIn(resource.spec);
  const expires = certificate ? validityOf(certificate).to : 0;
  const replaced = { replaces: serialIn(situation), expires };
  const question = { publicKey, names, usages, isCA, duration, authority: issuer.fingerprint, ...replaced };
  return { question, ...signingTimes, secret: issuer.secret };
}

/** Asks for a signing request. The source gets the key of the certificate from the Secret that has it. */
function requestAsked(view: StableView): PollRequest<SigningRequestQuestion> | undefined {
  const { situation, publicKey } = awaitedIn(view) ?? {};
  if (situation?.issuer.is !== 'acme' || publicKey === undefined) return undefined;
  const { metadata, spec } = view.resource;
  const secret = nextKeyIn(view) === '' ? spec.secretName : nextSecretName(metadata.name);
  return { question: { publicKey, names: requestIn(spec).names }, ...keyTimes, secret };
}

/** Asks about the order. The source gets the key of the account. */
function orderAskedOf(view: StableView): PollRequest<OrderQuestion> | undefined {
  const { situation, publicKey } = awaitedIn(view) ?? {};
  if (situation?.issuer.is !== 'acme' || publicKey === undefined) return undefined;
  const { issuer, resource } = situation;
  const question = orderAsked(resource, issuer);
  const { least, perName, afterFailure } = orderInterval;
  const isWaiting = question.order === undefined && failuresIn(resource).count > 0;
  const interval = isWaiting ? afterFailure : Math.max(least, perName * question.names.length);
  return { question, interval, timeout: orderTimeout, secret: issuer.secret };
}

/** Asks when the server suggests to renew its certificate. Not while another one is being issued. */
function renewalInfoAsked(view: StableView): PollRequest<RenewalInfoQuestion> | undefined {
  const { resource } = view;
  const { issuing, server } = resource.status ?? {};
  if (issuing || resource.metadata.deletionTimestamp !== undefined) return undefined;
  const { issuer, certificate, secret } = stableSituationOf(view);
  if (issuer.is !== 'acme' || !certificate || !isRecorded(resource, certificate)) return undefined;
  const { directory, caBundle } = issuer.account;
  const [own] = certificatesIn(secret?.certificate ?? '');
  if (server !== directory || own === undefined) return undefined;
  const question = { directory, ...(caBundle !== undefined && { caBundle }), certificate: own };
  return { question, ...renewalInfoTimes };
}

/** Asks for the workloads. */
function workloadsAsked(view: StableView): PollRequest<WorkloadsQuestion> | undefined {
  const { metadata, spec } = view.resource;
  const { workloads: consumers } = consumersIn(spec);
  const content = consumers.length === 0 ? undefined : contentIn(spec, ownSecretIn(view));
  if (!content || metadata.deletionTimestamp !== undefined) return undefined;
  const { namespace = '' } = metadata;
  const question = { namespace, workloads: consumers, annotation: hashAnnotation(spec.secretName), hash: content.hash };
  return { question, interval: consumerInterval(view, content) };
}

/** Asks for the certificates that the ports serve. */
function handshakesAsked(view: StableView): PollRequest<HandshakesQuestion> | undefined {
  const { metadata, spec } = view.resource;
  const { ports } = consumersIn(spec);
  const content = ports.length === 0 ? undefined : contentIn(spec, ownSecretIn(view));
  if (!content || metadata.deletionTimestamp !== undefined) return undefined;
  const { namespace = '' } = metadata;
  const serverName = serverNameIn(spec);
  const question = { namespace, ports, ...(serverName !== undefined && { serverName }) };
  return { question, interval: consumerInterval(view, content), timeout: 15_000 };
}

/** A name that selects the certificate. A label of a wildcard stands for every name that it covers. */
function serverNameIn({ dnsNames = [] }: CertificateResource['spec']): string | undefined {
  const exact = dnsNames.find((name) => !name.startsWith('*.'));
  return exact ?? dnsNames[0]?.replace('*', 'wildcard');
}

function consumerInterval({ resource }: StableView, { adoption }: Content): number {
  const mark = conditionOf<typeof conditions>(resource, 'Adopted');
  if (mark?.status === 'True' && resource.status?.adopted === adoption) return consumerIntervals.adopted;
  return mark?.status === 'False' ? consumerIntervals.waiting : consumerIntervals.rolling;
}
