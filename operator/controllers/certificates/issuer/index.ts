import { clusterIssuerKind, issuerKind } from '../../../../imports/index.js';
import { type Controller, defineController, type ObjectKind, optional } from '../../../runtime/index.js';
import type { AnyIssuer } from '../issuer-reference/issuer-part.js';
import { acmeAccount } from '../ports/acme.js';
import { assess } from './assess.js';
import { conditions } from './conditions.js';
import { owns, readsFrom } from './declarations.js';
import { desire } from './desire.js';
import { pollsFrom } from './polls.js';
import { statusTables } from './status-tables.js';

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
    owns,
    reads: readsFrom(home),
    polls: pollsFrom(home),
    calls: [acmeAccount],
    conditions,
    finalizes: true,
    informationalConditions: ['RolledOver'],
    tables: statusTables,
    desire: (scope, facts) => desire(scope, facts, home),
    assess: (outcome) => assess(outcome, home),
  });
}
