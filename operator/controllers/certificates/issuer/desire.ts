import type { Construct } from 'constructs';
import { PrivateKeySecret, RevocationConfigMap, TlsSecret, UnchangedSecret } from '../../../../src/index.js';
import { ExternalCall, pollValueOf } from '../../../runtime/index.js';
import { acmeAccount } from '../ports/acme.js';
import {
  accountCall,
  accountKeyIn,
  accountRequest,
  accountSecretIn,
  accountSecretRef,
  recordedAccount,
} from './account/acme-account.js';
import { authorityProblem } from './authority/authority-secret.js';
import { type Plan, planOf } from './plan.js';
import { listFor, listKey } from './revocation-list.js';
import { situationOf } from './situation.js';
import { authoritySecretIn, authoritySecretName, type IssuerView, isUnused } from './view.js';

/**
 * Renders the Secret of a generated CA or of an ACME account, and the revocation list. The next CA is in the Secret before
 * it signs. A Secret without a usable CA stays as it is until another CA is generated. All of them stay after the deletion
 * of the issuer, until no Certificate refers to it.
 * @param home namespace of the Secrets of a ClusterIssuer
 */
export function desire(scope: Construct, view: IssuerView, home: string): void {
  if (isUnused(view)) return;
  renderAuthority(scope, view, home);
  renderAccount(scope, view, home);
  const { resource, owned, polled } = view;
  const answer = pollValueOf(polled.revocation);
  const list = listFor({ resource, owned, authority: resource.status?.fingerprint }, answer);
  if (!list || !resource.spec.crl) return;
  const place = { name: resource.spec.crl.configMap, namespace: resource.metadata.namespace ?? home };
  new RevocationConfigMap(scope, 'crl', { ...place, key: listKey, list: list.text, annotations: list.annotations });
}

function renderAuthority(scope: Construct, view: IssuerView, home: string): void {
  const { metadata, spec } = view.resource;
  const situation = situationOf(view, home);
  const place = { name: authoritySecretName(metadata.name), namespace: metadata.namespace ?? home };
  const secret = authoritySecretIn(view);
  const { userProvided } = view.reads;
  // The key of a generated CA is deleted only when another CA or server can issue in its place.
  const isFrozen = spec.ca?.secretName === place.name;
  if (situation.is !== 'generated' && !isFrozen && userProvided && authorityProblem(userProvided) === undefined) return;
  if (spec.acme && recordedAccount(view.resource)) return;
  const { current, next, earlier } = situation.is === 'generated' ? planOf(situation) : nothing;
  if (!current) {
    if (secret) new UnchangedSecret(scope, 'ca', { ...place, type: secret.type, data: secret.data });
    return;
  }
  new TlsSecret(scope, 'ca', {
    ...place,
    ...{ certificate: current.certificate, key: current.key },
    trusted: [current.certificate, ...(next ? [next.certificate] : []), ...earlier].join(''),
    others: next ? { 'next.crt': next.certificate, 'next.key': next.key } : {},
  });
}

/** The key of an account is generated once. The account is created when its key is stored. */
function renderAccount(scope: Construct, view: IssuerView, home: string): void {
  const { resource, polled } = view;
  if (!resource.spec.acme) return;
  const place = accountSecretRef(resource, home);
  const generated = pollValueOf(polled.accountKey)?.key;
  const key = accountKeyIn(view) ?? (resource.status?.issuing === undefined ? undefined : generated);
  const secret = accountSecretIn(view);
  if (key !== undefined) new PrivateKeySecret(scope, 'account-key', { ...place, key });
  else if (secret) new UnchangedSecret(scope, 'account-key', { ...place, type: secret.type, data: secret.data });
  const request = accountRequest(view);
  if (!request) return;
  // Servers show an account at once. Some never show a contact, so the status records one that was sent.
  const call = { port: acmeAccount, request, refreshes: ['account'], secret: place, timeout: 30_000 };
  new ExternalCall(scope, accountCall, call);
}

const nothing: Plan = { earlier: [] };
