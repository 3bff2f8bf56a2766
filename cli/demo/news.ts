import type { Condition } from '../../operator/runtime/conditions.js';
import type { CustomResource } from '../../operator/runtime/controller.js';
import { appliedAnnotation } from '../../operator/runtime/inventory.js';
import type { LiveObject } from '../../operator/runtime/object.js';
import { differences } from './differences.js';
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
  const changed = differences(stated(before), stated(after));
  const summary = summaryOf(after);
  const lines = summary === summaryOf(before) || changed.length > 0 ? changed : [summary];
  return lines.map((line) => `~ ${titleOf(after)}  ${line}`);
}

/** What happened to the resource: changes of its spec, and what the operator says of it. */
export function resourceNews({ before, after }: Happened<CustomResource>): readonly string[] {
  if (!after) return before ? [`- ${titleOf(before)}`] : [];
  const came = before ? [] : [`+ ${titleOf(after)}`];
  const changed = before ? differences(stated(before), stated(after)) : [];
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
