/** The due time in the name of a backup, for example `20261121-030000`. */
export function dueText(due: number): string {
  return new Date(due)
    .toISOString()
    .replace(/[-:]|\..*/g, '')
    .replace('T', '-');
}

/** The due time of a backup, from its name. Undefined for a backup that the schedule did not create. */
export function dueIn(name: string): number | undefined {
  const [, year, month, day, hour, minute, second] = /-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)$/.exec(name) ?? [];
  if (second === undefined) return undefined;
  const due = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(due) ? undefined : due;
}
