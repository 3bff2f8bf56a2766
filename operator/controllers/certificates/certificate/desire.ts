import type { Construct } from 'constructs';
import { PrivateKeySecret, TlsSecret, UnchangedSecret } from '../../../../src/index.js';
import { workloads } from '../../../consumers/workloads.js';
import { ExternalCall, RejectedError } from '../../../runtime/index.js';
import { acmeOrder } from '../ports/acme.js';
import { rolloutCall, rolloutDue } from './consumers/adoption.js';
import { planOf } from './plan/index.js';
import type { Step } from './plan/step.js';
import { type Situation, situationOf } from './situation.js';
import {
  type CertificateView,
  formerSecretsIn,
  isStored,
  nextSecretName,
  othersSecretIn,
  ownSecretIn,
  wantedStores,
} from './view.js';

/**
 * Renders the Secret of a Certificate, and that of its next key until the certificate for it is checked. A Secret of
 * somebody else is rendered as it is: the runtime reports its owner, and nothing is lost if it is handed over. After
 * another `secretName`, the former Secret stays until the new one has a certificate.
 */
export function desire(scope: Construct, view: CertificateView): void {
  const { metadata, spec } = view.resource;
  const { name, namespace = '' } = metadata;
  rejectNameOfNextKey(view);
  const others = othersSecretIn(view);
  if (others) {
    const { type, data } = others;
    new UnchangedSecret(scope, 'certificate', { name: spec.secretName, namespace, type, data });
    return;
  }
  const situation = situationOf(view);
  const { secret, nextKey, step } = planOf(situation);
  // Consumers are rolled only for what is in the Secret, not for content that this reconcile replaces.
  const rollout = secret && isStored(view, secret) ? rolloutDue({ ...view, secret: ownSecretIn(view) }) : undefined;
  if (rollout)
    new ExternalCall(scope, rolloutCall, {
      ...{ port: workloads, request: rollout, refreshes: ['workloads'], timeout: 30_000 },
    });
  if (secret)
    new TlsSecret(scope, 'certificate', {
      ...{ name: spec.secretName, namespace, ...secret },
      stores: wantedStores(view, secret),
    });
  else
    for (const { metadata: live, type, data } of formerSecretsIn(view))
      new UnchangedSecret(scope, `former-${live.name}`, { name: live.name, namespace, type, data });
  if (nextKey) new PrivateKeySecret(scope, 'next-key', { name: nextSecretName(name), namespace, key: nextKey });
  renderCalls(scope, situation, step);
}

/** @throws {RejectedError} when the certificate would be in the Secret with the key of the next one */
function rejectNameOfNextKey({ resource: { metadata, spec } }: CertificateView): void {
  if (spec.secretName !== nextSecretName(metadata.name)) return;
  throw new RejectedError(
    'ReservedName',
    `spec.secretName: Invalid value: "${spec.secretName}": must not be the name of the Secret with the next key; use another name`,
  );
}

/**
 * The calls of an order. Each is without effect if the server is past that step. A new process waits for none, because it
 * can find an order only by its recorded URL.
 */
function renderCalls(scope: Construct, { issuer }: Situation, step: Step | undefined): void {
  if (issuer.is !== 'acme' || step?.act !== 'order') return;
  const { secret } = issuer;
  for (const [name, request] of Object.entries(step.order.calls))
    new ExternalCall(scope, name, {
      ...{ port: acmeOrder, request, refreshes: ['order'], secret, timeout: 30_000 },
    });
}
