/** How the name of a backup says when it was due: `20261121-030000`. */
export function dueText(due: number): string {
  return new Date(due)
    .toISOString()
    .replace(/[-:]|\..*/g, '')
    .replace('T', '-');
}

/** When a backup was due, by the end of its name; undefined of one that no schedule has named. */
export function dueIn(name: string): number | undefined {
  const [, year, month, day, hour, minute, second] = /-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)$/.exec(name) ?? [];
  if (second === undefined) return undefined;
  const due = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(due) ? undefined : due;
}
