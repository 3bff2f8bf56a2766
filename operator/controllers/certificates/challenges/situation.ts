import type { CertificateResource } from '../../../../imports/index.js';
import { pollValueOf } from '../../../runtime/index.js';
import { type AcmeIssuer, acmeIssuerIn, issuerStateOf } from '../issuer-reference/issuer-state.js';
import { type RecordedChallenge, type TxtRecord, unsettledRecord } from './responses.js';
import type { ChallengesView, StableView } from './view.js';

/** The challenges of a Certificate and their responses, without the time and the answers of external sources. */
export interface StableSituation {
  readonly resource: CertificateResource;
  readonly isDeleting: boolean;
  /** The issuer, if it has an account at an ACME server. What is in place is removed even if it cannot issue now. */
  readonly issuer: AcmeIssuer | undefined;
  /** The challenges whose responses must be in place. None of a Certificate that is being deleted. */
  readonly challenges: readonly RecordedChallenge[];
  /** The TXT records in the status. After the deletion of the Certificate, all are to be removed. */
  readonly records: readonly TxtRecord[];
}

/** What the next change of a TXT record follows from. */
export interface Situation extends StableSituation {
  /** Whether the issuer is there and has no ACME server. */
  readonly hasOtherIssuer: boolean;
  /** The values that the first unsettled record has. Undefined if they are not known. */
  readonly values: readonly string[] | undefined;
}

/** The challenges of a Certificate, and what is known of their responses. */
export function situationOf(view: ChallengesView): Situation {
  const stable = stableSituationOf(view);
  const hasOtherIssuer = issuerStateOf(view.resource.spec, view.reads).is === 'available';
  return { ...stable, hasOtherIssuer, values: knownValues(stable, view) };
}

/** The challenges of a Certificate and their responses. */
export function stableSituationOf({ resource, reads }: StableView): StableSituation {
  const { metadata, spec, status } = resource;
  const isDeleting = metadata.deletionTimestamp !== undefined;
  const records = status?.records ?? [];
  return {
    ...{ resource, isDeleting, issuer: acmeIssuerIn(spec, reads) },
    challenges: isDeleting ? [] : (status?.order?.challenges ?? []),
    records: isDeleting ? records.map((record) => ({ ...record, phase: 'Removing' as const })) : records,
  };
}

function knownValues({ records }: StableSituation, { polled }: ChallengesView): readonly string[] | undefined {
  const unsettled = unsettledRecord(records);
  const { record, webhook } = polled;
  if (unsettled?.url === undefined) return pollValueOf(record)?.values;
  if (!webhook?.known || webhook.value.state === 'unknown') return undefined;
  return webhook.value.state === 'presented' ? [unsettled.value] : [];
}
