/** The parts of an installation that are checked, in the order of the output. */
export type Part = 'definitions' | 'operator' | 'permissions' | 'leader' | 'pods' | 'resources' | 'optional kinds';

/** What a check found. */
export interface Finding {
  readonly part: Part;
  /** `info` is about something that an installation can lack. It is neither good nor bad. */
  readonly state: 'ok' | 'info' | 'problem' | 'unknown';
  readonly message: string;
  /** What a person can do. @default - nothing */
  readonly action?: string;
}

/** Whether a person should act or look. */
export function isWell(findings: readonly Finding[]): boolean {
  return findings.every(({ state }) => state === 'ok' || state === 'info');
}

/** Makes the findings of a part. */
export function findingsOf(part: Part) {
  const made = (state: Finding['state'], message: string, action?: string): Finding => ({
    ...{ part, state, message },
    ...(action !== undefined && { action }),
  });
  return {
    ok: (message: string) => made('ok', message),
    info: (message: string, action?: string) => made('info', message, action),
    problem: (message: string, action: string) => made('problem', message, action),
    /** @param missing the permission that the user lacks, such as `list pods in namespace shop` */
    unknown: (what: string, missing: string) =>
      made(
        'unknown',
        `${what} cannot be checked: you may not ${missing}`,
        `Run the command as a user who may ${missing}`,
      ),
  };
}

/** The first names of many, such as `a, b and 3 more`. */
export function someOf(names: readonly string[], shown = 3): string {
  const more = names.length - shown;
  return more > 0 ? `${names.slice(0, shown).join(', ')} and ${more} more` : names.join(', ');
}

/** A number with its noun, such as `2 Pods`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
