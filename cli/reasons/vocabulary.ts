import { type ConditionSet, isAlarm } from '../../operator/runtime/controller/conditions.js';
import type { Controller } from '../../operator/runtime/controller/controller.js';
import { groupKindOf } from '../../operator/runtime/kubernetes/kinds.js';
import { runtimeReasons } from '../../operator/runtime/status/runtime-reasons.js';

/** Everything that a kind can report. */
export interface Vocabulary {
  /** The conditions of all controllers of the kind. */
  readonly conditions: ConditionSet;
  /** What to do about a rejected spec, by reason. */
  readonly rejections: Readonly<Record<string, string>>;
}

/** A condition, as far as advice goes. */
interface Reported {
  readonly type: string;
  readonly reason: string;
}

/** What a kind can report, besides the runtime. @param kind its group and kind, as `groupKindOf` gives them */
export function vocabularyOf(kind: string, controllers: readonly Controller[]): Vocabulary {
  const own = controllers.filter((one) => groupKindOf(one.kind) === kind);
  return {
    conditions: Object.assign({}, ...own.map(({ conditions }) => conditions)),
    rejections: Object.assign({}, ...own.map(({ rejections }) => rejections)),
  };
}

/** The types of conditions that are there only while something is wrong. */
export function alarmsIn({ conditions }: Vocabulary): ReadonlySet<string> {
  const all = Object.entries({ ...conditions, ...runtimeReasons } satisfies ConditionSet);
  return new Set(all.filter(([, reasons]) => isAlarm(reasons)).map(([type]) => type));
}

/** What a person can do about a condition, in Markdown. Undefined if nothing is known, or if waiting is all. */
export function actionFor({ type, reason }: Reported, { conditions, rejections }: Vocabulary): string | undefined {
  if (type === 'Accepted' && rejections[reason] !== undefined) return rejections[reason];
  const all: ConditionSet = { ...conditions, ...runtimeReasons };
  return all[type]?.[reason]?.[2];
}

/** An action for a terminal: without marks, and with the target of each link. */
export function plainAction(markdown: string): string {
  return markdown
    .replace(/\[([^\]]*)\]\(([^)]*)\)/g, (_, text: string, target: string) => `${text} (${target})`)
    .replace(/\*\*|`/g, '');
}
