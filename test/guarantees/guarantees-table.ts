/** A row of the tables in docs/maintaining/guarantees.md. */
export interface Guarantee {
  readonly number: number;
  readonly title: string;
  /** The number in the link to the list of tests. */
  readonly linksTo: number;
  /** True if the row is marked †: a test on a real control plane proves it. */
  readonly isReal: boolean;
  /** What other frameworks do. */
  readonly elsewhere: string;
}

/** The guarantees, in the order of the page. */
export function guaranteesIn(page: string): readonly Guarantee[] {
  const rows = page.matchAll(/^\| \[R(\d+)\]\(guarantees-tests\.md#r(\d+)\)( †)? \| \*\*(.+?)\.\*\* .+ \| (.+) \|$/gm);
  return [...rows].map(([, number, linksTo, mark, title = '', elsewhere = '']) => ({
    number: Number(number),
    title,
    linksTo: Number(linksTo),
    isReal: mark !== undefined,
    elsewhere,
  }));
}
