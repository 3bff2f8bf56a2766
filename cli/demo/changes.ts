import type { Condition } from '../../operator/runtime/controller/conditions.js';
import type { CustomResource } from '../../operator/runtime/controller/custom-resource.js';
import { isRecord } from '../../operator/runtime/kubernetes/json.js';
import type { LiveObject } from '../../operator/runtime/kubernetes/object.js';
import { appliedAnnotation } from '../../operator/runtime/kubernetes/well-known-names.js';
import { conditionsIn } from './scene.js';
import { summaryOf } from './summary.js';

/** An object before and after it changed; one of them is missing when it came or went. */
export interface Happened<T extends LiveObject = LiveObject> {
  readonly before?: T | undefined;
  readonly after?: T | undefined;
}

/** What happened to an owned object: a line for each field that people or the operator changed. */
export function objectNews({ before, after }: Happened): readonly string[] {
  if (!after) return before ? [`- ${titleOf(before)}`] : [];
  if (!before) return [`+ ${titleOf(after)}  ${summaryOf(after)}`.trimEnd()];
  const changed = fieldChanges(stated(before), stated(after));
  const summary = summaryOf(after);
  const lines = summary === summaryOf(before) || changed.length > 0 ? changed : [summary];
  return lines.map((line) => `~ ${titleOf(after)}  ${line}`);
}

/** What happened to the resource: changes of its spec, and what the operator says of it. */
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

/** Without what changes with every write, and without the status, which is told in fewer words. */
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

/** Characters of a value that are shown. */
const longest = 60;

/**
 * What became of the fields of a value: `spec.replicas 3 → 5`, `metadata.labels.mine added "yes"`. One line for each
 * field, in the order in which the fields stand.
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

/** Names with a dot in them, as those of labels, in brackets. */
function below(path: string, name: string): string {
  if (!/^\w+$/.test(name)) return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
