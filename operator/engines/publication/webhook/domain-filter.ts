/**
 * The domains for which a webhook changes records, as it reports them. A filter by regular expressions excludes nothing here:
 * the webhook applies it itself, and an expression of a server must not run in the operator.
 */
export interface DomainFilter {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** The filter in the response of a webhook. Whatever has another form excludes nothing. */
export function domainFilterIn(value: unknown): DomainFilter {
  const { include, exclude, regexInclude, regexExclude } = (value ?? {}) as Readonly<Record<string, unknown>>;
  // As in external-dns, expressions take the place of the lists.
  if (regexInclude || regexExclude) return { include: [], exclude: [] };
  return { include: domainsIn(include), exclude: domainsIn(exclude) };
}

/** Whether a webhook ignores a name. */
export function isExcluded(name: string, { include, exclude }: DomainFilter): boolean {
  const isBelow = (domain: string) => isIn(name.toLowerCase().replace(/\.$/, ''), domain);
  return (include.length > 0 && !include.some(isBelow)) || exclude.some(isBelow);
}

/** A domain that starts with a dot has only the names below it. */
function isIn(name: string, domain: string): boolean {
  return domain.startsWith('.') ? name.endsWith(domain) : name === domain || name.endsWith(`.${domain}`);
}

function domainsIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  const texts = value.filter((one): one is string => typeof one === 'string');
  return texts.map((text) => text.trim().toLowerCase().replace(/\.$/, '')).filter((text) => text !== '');
}
