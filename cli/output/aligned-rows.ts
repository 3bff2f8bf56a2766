/** Rows with aligned columns, two spaces apart. */
export function alignedRows(rows: readonly (readonly string[])[]): readonly string[] {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widthOf(column)))
      .join('  ')
      .trimEnd(),
  );
}
