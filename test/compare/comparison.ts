/** One of the two programs that are compared. */
export interface Contestant {
  /** With its version, such as `external-dns v0.21.0`. It heads a column. */
  readonly name: string;
}

/** What is measured of each contestant, in the order of the rows. */
export interface Figure<C extends Contestant> {
  /** Heads the row. */
  readonly what: string;
  /** Measures it. @returns the cell, with its unit */
  readonly of: (contestant: C, say: (line: string) => void) => Promise<string>;
}

/** How a system is compared with a peer. */
export interface Comparison<C extends Contestant = Contestant> {
  /** What is compared, for `--help`. */
  readonly about: string;
  /** Short names of the contestants, for `--only`. */
  readonly contestants: readonly string[];
  /**
   * The contestants, in the order of the columns. Each is installed when its turn comes, and leaves nothing.
   * @param use measures one contestant while it is installed
   * @param isWanted whether a contestant is measured, by its short name
   */
  readonly run: (
    namespace: string,
    use: (contestant: C, figures: readonly Figure<C>[]) => Promise<void>,
    isWanted: (contestant: string) => boolean,
  ) => Promise<void>;
}

/** A column of the table. */
export interface Measured {
  readonly name: string;
  /** Cells by rows. */
  readonly cells: ReadonlyMap<string, string>;
}

/** Measures all figures of a contestant, one after the other. One that cannot be measured has its error in the cell. */
export async function measured<C extends Contestant>(
  contestant: C,
  figures: readonly Figure<C>[],
  say: (line: string) => void,
): Promise<Measured> {
  const cells = new Map<string, string>();
  for (const { what, of } of figures) {
    const cell = await of(contestant, say).catch((error: unknown) => `failed: ${(error as Error).message}`);
    say(`${contestant.name}: ${what}: ${cell}`);
    cells.set(what, cell);
  }
  return { name: contestant.name, cells };
}

/** The table of a page in Markdown. */
export function tableOf(columns: readonly Measured[]): readonly string[] {
  const rows = [...new Set(columns.flatMap(({ cells }) => [...cells.keys()]))];
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    line(['', ...columns.map(({ name }) => name)]),
    `|${'---|'.repeat(columns.length + 1)}`,
    ...rows.map((row) => line([row, ...columns.map(({ cells }) => cells.get(row) ?? '')])),
  ];
}
