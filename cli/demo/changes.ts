import type { Condition } from '../../operator/runtime/controller/conditions.js';
import type { CustomResource } from '../../operator/runtime/controller/custom-resource.js';
import { isRecord } from '../../operator/runtime/kubernetes/json.js';
import type { LiveObject } from '../../operator/runtime/kubernetes/object.js';
import { appliedAnnotation } from '../../operator/runtime/kubernetes/well-known-names.js';
import { conditionsIn } from './scene.js';
import { summaryOf } from './summary.js';

/** An object before and after a change. One of them is missing if it was created or deleted. */
export interface Happened<T extends LiveObject = LiveObject> {
  readonly before?: T | undefined;
  readonly after?: T | undefined;
}

/** The changes of an owned object: one line per field that a user or the operator changed. */
export function objectNews({ before, after }: Happened): readonly string[] {
  if (!after) return before ? [`- ${titleOf(before)}`] : [];
  if (!before) return [`+ ${titleOf(after)}  ${summaryOf(after)}`.trimEnd()];
  const changed = fieldChanges(stated(before), stated(after));
  const summary = summaryOf(after);
  const lines = summary === summaryOf(before) || changed.length > 0 ? changed : [summary];
  return lines.map((line) => `~ ${titleOf(after)}  ${line}`);
}

/** The changes of the resource: its spec and its conditions. */
export function resourceNews({ before, after }: Happened<CustomResource>): readonly string[] {
  if (!after) return before ? [`- ${titleOf(before)}`] : [];
  const came = before ? [] : [`+ ${titleOf(after)}`];
  const changed = before ? fieldChanges(stated(before), stated(after)) : [];
  const said = conditionsIn(after).filter((condition) => !isSaid(condition, conditionsIn(before)));
  return [
    ...came,
    ...changed.map((line) => `~ ${titleOf(after)}  ${line}`),
    ...said.map(({ type, status, reason, message }) => `  ${type}=${status} ${reason}: ${message}`),
  ];
}

function titleOf({ kind, metadata }: LiveObject): string {
  return `${kind} ${metadata.name}`;
}

/** Without the fields that change with every write, and without the status, which is summarized. */
function stated(object: LiveObject): object {
  const { metadata, status: _status, ...rest } = object as CustomResource;
  const { resourceVersion: _version, generation: _generation, annotations, ...identity } = metadata;
  const { [appliedAnnotation]: _applied, ...others } = annotations ?? {};
  return { metadata: { ...identity, annotations: others }, ...rest };
}

function isSaid({ type, status, reason, message }: Condition, before: readonly Condition[]): boolean {
  return before.some(
    (one) => one.type === type && one.status === status && one.reason === reason && one.message === message,
  );
}

/** Maximum number of characters of a value. */
const longest = 60;

/**
 * The changed fields of a value: `spec.replicas 3 → 5`, `metadata.labels.mine added "yes"`. One line per field, in the
 * order of the fields.
 */
export function fieldChanges(before: unknown, after: unknown, path = ''): readonly string[] {
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
  return [...names].flatMap((name) => fieldChanges(own(before, name), own(after, name), below(path, name)));
}

/** The path of a field. Names with a dot, such as those of labels, are in brackets. */
function below(path: string, name: string): string {
  if (!/^\w+$/.test(name)) return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
