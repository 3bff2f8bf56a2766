import type { ConditionSet, Reason } from '../../operator/runtime/controller/conditions.js';
import type { Vocabulary } from '../reasons/vocabulary.js';
import { code, type Rows, type Sections, tableOf } from './sections.js';

/** What can be asked of a page: the vocabulary of a kind, and `runtime` for what every resource reports. */
export type Vocabularies = (kind: string) => Vocabulary;

/**
 * The tables of conditions: `<!-- conditions: KIND [TYPE…] -->` and `<!-- rejections: KIND… -->`. They throw an Error if
 * the comment names a kind or a condition that does not exist.
 */
export function conditionTables(of: Vocabularies): Sections {
  return {
    conditions: ([kind = '', ...types]) => tableOf(conditionRows(of(kind).conditions, kind, types)),
    rejections: (kinds) => tableOf(rejectionRows(kinds, of)),
  };
}

function conditionRows(conditions: ConditionSet, kind: string, types: readonly string[]): Rows {
  const chosen = types.length === 0 ? Object.keys(conditions) : types;
  const unknown = chosen.find((type) => !conditions[type]);
  if (unknown !== undefined)
    throw new Error(`${kind} has no condition ${unknown}; it has ${Object.keys(conditions).join(', ')}`);
  const rows = chosen.flatMap((type) =>
    Object.entries(conditions[type] ?? {}).map(([reason, of], index) => {
      const [status, sentence] = of;
      return [index === 0 ? code(type) : '', code(reason), status, `${sentence}.`, actionText(of)];
    }),
  );
  return [['Condition', 'Reason', 'Status', 'Meaning', 'Action'], ...rows];
}

function actionText([status, , action]: Reason): string {
  return action ?? (status === 'True' ? 'None.' : 'Wait.');
}

function rejectionRows(kinds: readonly string[], of: Vocabularies): Rows {
  const rows = kinds.flatMap((kind) =>
    Object.entries(of(kind).rejections).map(([reason, action], index) => [
      index === 0 ? kind : '',
      code(reason),
      action,
    ]),
  );
  return [['Kind', 'Reason', 'Action'], ...rows];
}
