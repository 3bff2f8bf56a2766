import { shortNames } from '../../../consumers/adoption.js';
import { type Assessment, type Mark, type Outcome, reportOnly } from '../../../runtime/index.js';
import type { AnyIssuer } from '../issuer-reference/issuer-part.js';
import { accountReport } from './account/account-report.js';
import { accountCall, accountSecretRef } from './account/acme-account.js';
import { generatedReport, userProvidedReport } from './authority-report.js';
import type { conditions } from './conditions.js';
import { availableOf } from './findings/available.js';
import { listRenewalTime, listStatus } from './revocation-list.js';
import { situationOf } from './situation.js';
import type { IssuerView } from './view.js';

type Found = Assessment<AnyIssuer, typeof conditions>;
type Available = Mark<keyof (typeof conditions)['Available']>;

/** Milliseconds: reconciles at once, because the next step follows from the status that this reconcile writes. */
const atOnce = 1;

/** Reports the CA or the ACME account of an issuer. @param home namespace of the Secrets of a ClusterIssuer */
export function assess(view: IssuerView & Pick<Outcome<AnyIssuer>, 'calls'>, home: string): Found {
  const situation = situationOf(view, home);
  const call = view.calls.of(accountCall);
  const Available = withUsers(view, availableOf(situation, call));
  if (situation.is === 'account') {
    const secretRef = accountSecretRef(view.resource, home);
    return { conditions: reportOnly({ Available }), ...accountReport(situation, { call, secretRef }) };
  }
  const report = situation.is === 'generated' ? generatedReport(situation) : userProvidedReport(situation);
  return withList(view, { ...report, conditions: { Available, RolledOver: report.conditions.RolledOver } });
}

/** Names the Certificates for which an issuer stays after its deletion. */
function withUsers({ reads, resource }: IssuerView, mark: Available): Available {
  const names = reads.users.map(({ name }) => name).toSorted();
  if (resource.metadata.deletionTimestamp === undefined || names.length === 0) return mark;
  const message = `The issuer stays until no Certificate refers to it: ${shortNames(names)}; delete them, or set another spec.issuer`;
  return { ...mark, message };
}

/** Adds the record of the revocation list. */
function withList({ resource, owned, now }: IssuerView, found: Found): Found {
  const authority = found.status?.fingerprint;
  const crl = listStatus({ resource, owned, authority }, now.getTime());
  if (!crl) return found;
  const isNew = crl.number !== resource.status?.crl?.number;
  const { nextUpdate = '' } = crl;
  const renewal = Math.max(atOnce, listRenewalTime(nextUpdate) - now.getTime());
  const { requeueAfter = renewal } = found;
  return { ...found, status: { ...found.status, crl }, requeueAfter: isNew ? atOnce : Math.min(requeueAfter, renewal) };
}
