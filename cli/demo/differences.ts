import { isRecord } from '../../operator/runtime/merge-keys.js';

/** Characters of a value that are shown. */
const longest = 60;

/**
 * What became of the fields of a value: `spec.replicas 3 → 5`, `metadata.labels.mine added "yes"`. One line for each
 * field, in the order in which the fields stand.
 */
export function differences(before: unknown, after: unknown, path = ''): readonly string[] {
  if (before === after) return [];
  if (isRecord(before) && isRecord(after)) return recordDifferences(before, after, path);
  if (Array.isArray(before) && Array.isArray(after)) return recordDifferences({ ...before }, { ...after }, path);
  if (before === undefined) return [`${path} added ${shown(after)}`];
  if (after === undefined) return [`${path} removed`];
  return [`${path} ${shown(before)} → ${shown(after)}`];
}

type Fields = Readonly<Record<string, unknown>>;

function recordDifferences(before: Fields, after: Fields, path: string): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const own = (fields: Fields, name: string) => (Object.hasOwn(fields, name) ? fields[name] : undefined);
  return [...names].flatMap((name) => differences(own(before, name), own(after, name), below(path, name)));
}

/** Names with a dot in them, as those of labels, in brackets. */
function below(path: string, name: string): string {
  if (!/^\w+$/.test(name)) return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
