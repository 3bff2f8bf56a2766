/** The part of a solver that decides for which names it is. It is an entry of `acme.solvers` of an Issuer. */
export interface AcmeSolver {
  readonly http01?: object;
  readonly dns01?: object;
  /** @default - all names */
  readonly selector?: {
    /** DNS names. The solver is for these and all names below. @default - all names */
    readonly dnsZones?: readonly string[];
  };
}

/** A name that must be validated. */
export interface ValidatedName {
  /** A DNS name without `*.`, or an IP address. */
  readonly name: string;
  readonly isWildcard: boolean;
}

/** The type of challenges that a solver solves. */
export function challengeTypeOf({ dns01 }: AcmeSolver): 'http-01' | 'dns-01' {
  return dns01 ? 'dns-01' : 'http-01';
}

/**
 * The solver for a name: the one with the longest matching zone, and the first of several. A wildcard needs DNS-01, an IP
 * address HTTP-01.
 */
export function solverFor<S extends AcmeSolver>(of: ValidatedName, solvers: readonly S[]): S | undefined {
  const suitable = solvers.filter((solver) =>
    challengeTypeOf(solver) === 'dns-01' ? !isAddress(of.name) : !of.isWildcard,
  );
  const rated = suitable.map((solver) => ({ solver, length: matchLength(of.name, solver) }));
  const best = Math.max(...rated.map(({ length }) => length));
  return best < 0 ? undefined : rated.find(({ length }) => length === best)?.solver;
}

/** The names of a certificate as they are validated: `*.example.com` becomes the wildcard of `example.com`. */
export function validatedName(name: string): ValidatedName {
  return name.startsWith('*.') ? { name: name.slice(2), isWildcard: true } : { name, isWildcard: false };
}

/** Why a name of a certificate cannot be validated, for the first such name. Undefined if all can. */
export function solverProblem(names: readonly string[], solvers: readonly AcmeSolver[]): string | undefined {
  const name = names.find((one) => !solverFor(validatedName(one), solvers));
  if (name === undefined) return undefined;
  const what = name.startsWith('*.')
    ? 'add one with dns01 to its issuer, because a wildcard needs DNS-01'
    : 'add one to its issuer';
  return `spec.dnsNames: Invalid value: ${JSON.stringify(name)}: must match a solver; ${what}`;
}

/** The number of characters of the longest matching zone. 0 for a solver of all names, -1 without a match. */
function matchLength(name: string, { selector }: AcmeSolver): number {
  const zones = selector?.dnsZones;
  if (!zones || zones.length === 0) return 0;
  const matching = zones.filter((zone) => name === zone || name.endsWith(`.${zone}`));
  return Math.max(-1, ...matching.map((zone) => zone.length));
}

/** DNS names of certificates end with a letter. */
function isAddress(name: string): boolean {
  return name.includes(':') || /^[\d.]+$/.test(name);
}
