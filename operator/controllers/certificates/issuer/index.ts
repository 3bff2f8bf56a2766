import { clusterIssuerKind, issuerKind } from '../../../../imports/index.js';
import {
  ConfigMap,
  type Controller,
  defineController,
  type ObjectKind,
  optional,
  Secret,
} from '../../../runtime/index.js';
import type { AnyIssuer } from '../issuer-reference/issuer-part.js';
import { acmeAccount, externalAccountBinding } from '../ports/acme.js';
import { authority } from '../ports/authority.js';
import { privateKey } from '../ports/private-key.js';
import { revocation } from '../ports/revocation.js';
import { accountAsked, accountKeyAsked, bindingAsked } from './account-queries.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { desire } from './desire.js';
import { authorityAsked, revocationAsked } from './queries.js';
import { readsFrom } from './view.js';

/** Keeps the certificate authorities of `Issuer` resources. */
export const issuer = controllerOf(issuerKind as ObjectKind<AnyIssuer>, '');

/**
 * Keeps the certificate authorities of `ClusterIssuer` resources. An operator that is limited to some namespaces may not
 * read them.
 * @param home namespace of the Secrets with their keys
 */
export function clusterIssuerIn(home: string): Controller {
  return controllerOf(optional(clusterIssuerKind) as ObjectKind<AnyIssuer>, home);
}

function controllerOf(kind: ObjectKind<AnyIssuer>, home: string): Controller {
  return defineController({
    kind,
    owns: [Secret, ConfigMap],
    reads: readsFrom(home),
    polls: (ask) => ({
      authority: ask(authority, authorityAsked),
      revocation: ask(revocation, (facts) => revocationAsked(facts, home)),
      accountKey: ask(privateKey, accountKeyAsked),
      account: ask(acmeAccount, (facts) => accountAsked(facts, home)),
      binding: ask(externalAccountBinding, (facts) => bindingAsked(facts, home)),
    }),
    calls: [acmeAccount],
    conditions,
    finalizes: true,
    informationalConditions: ['RolledOver'],
    desire: (scope, facts) => desire(scope, facts, home),
    assess: (outcome) => assess(outcome, home),
  });
}
