import type { CertificateStatus } from '../../../../imports/index.js';
import { type AcmeSolver, solverFor } from '../acme/solvers.js';
import type { IssuerSolver } from '../issuer-reference/issuer-part.js';
import type { AcmeIssuer } from '../issuer-reference/issuer-state.js';

/** A challenge of the order, as the status of a Certificate records it. */
export type RecordedChallenge = NonNullable<NonNullable<CertificateStatus['order']>['challenges']>[number];

/** A TXT record that the operator adds or removes. */
export type TxtRecord = NonNullable<CertificateStatus['records']>[number];

/** The solver of a challenge. Undefined if the issuer no longer has one of its type for the name. */
export function solverOf({ name, isWildcard, type }: RecordedChallenge, issuer: AcmeIssuer): IssuerSolver | undefined {
  const solver = solverFor<AcmeSolver & IssuerSolver>({ name, isWildcard }, issuer.solvers);
  return solver && (type === 'dns-01') === (solver.dns01 !== undefined) ? solver : undefined;
}

/** The solver that changes a record. Undefined if the issuer no longer has it. */
export function recordSolverOf({ server, port, zone, url }: TxtRecord, issuer: AcmeIssuer): IssuerSolver['dns01'] {
  const all = issuer.solvers.flatMap(({ dns01 }) => dns01 ?? []);
  return all.find(({ rfc2136, webhook }) => {
    if (url !== undefined) return webhook?.url === url;
    return rfc2136?.server === server && rfc2136?.port === port && rfc2136?.zone === zone;
  });
}

/** The records that the challenges need. */
export function wantedRecords(
  challenges: readonly RecordedChallenge[],
  issuer: AcmeIssuer,
): readonly Omit<TxtRecord, 'phase'>[] {
  return challenges.flatMap((challenge): Omit<TxtRecord, 'phase'>[] => {
    const { rfc2136, webhook } = solverOf(challenge, issuer)?.dns01 ?? {};
    if (challenge.type !== 'dns-01') return [];
    const record = { name: `_acme-challenge.${challenge.name}`, value: challenge.record ?? '' };
    if (webhook) return [{ url: webhook.url, ...record }];
    if (!rfc2136) return [];
    const { server, port, zone } = rfc2136;
    return [{ server, port, zone, ...record }];
  });
}

/** Whether two entries are the same record. */
export function isSameRecord(one: Omit<TxtRecord, 'phase'>, other: Omit<TxtRecord, 'phase'>): boolean {
  const keys = ['server', 'port', 'zone', 'url', 'name', 'value'] as const;
  return keys.every((key) => one[key] === other[key]);
}

/** What is known about the records. */
export interface KnownRecords {
  readonly recorded: readonly TxtRecord[];
  /** Undefined if the issuer is not known. Then nothing is added or removed. */
  readonly wanted: readonly Omit<TxtRecord, 'phase'>[] | undefined;
  /** Values of the first record that is not settled, at its server. Undefined if they are not known. */
  readonly values: readonly string[] | undefined;
}

/** The first record that is being added or removed. The operator asks about one at a time. */
export function unsettledRecord(records: readonly TxtRecord[]): TxtRecord | undefined {
  return records.find(({ phase }) => phase !== 'Added');
}

/** The records that the status must have: those that are wanted, and those that are not removed yet. */
export function nextRecords({ recorded, wanted, values }: KnownRecords): readonly TxtRecord[] {
  const unsettled = unsettledRecord(recorded);
  const seen = recorded.flatMap((record): readonly TxtRecord[] => {
    if (record !== unsettled || values === undefined) return [record];
    const isThere = values.includes(record.value);
    if (record.phase === 'Removing') return isThere ? [record] : [];
    return [isThere ? { ...record, phase: 'Added' } : record];
  });
  if (!wanted) return seen;
  const kept = seen.map((record): TxtRecord => {
    if (!wanted.some((one) => isSameRecord(one, record))) return { ...record, phase: 'Removing' };
    return record.phase === 'Removing' ? { ...record, phase: 'Adding' } : record;
  });
  const added = wanted.filter((one) => !kept.some((record) => isSameRecord(one, record)));
  return [...kept, ...added.map((one): TxtRecord => ({ ...one, phase: 'Adding' }))];
}
