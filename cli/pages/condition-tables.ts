import path from 'node:path';
import type { ConditionSet, Reason } from '../../operator/runtime/controller/conditions.js';
import type { Vocabulary } from '../reasons/vocabulary.js';

/** What can be asked of a page: the vocabulary of a kind, and `runtime` for what every resource reports. */
export type Vocabularies = (kind: string) => Vocabulary;

const marked = /<!-- (conditions|rejections): ([^>]*?) -->\n[\s\S]*?<!-- end -->/g;

/**
 * A page with its tables of conditions filled in. A table is between `<!-- conditions: KIND [TYPE…] -->` or
 * `<!-- rejections: KIND… -->`, and `<!-- end -->`.
 * @param page its path from the root of the repository
 * @throws {Error} if a page names a kind or a condition that does not exist
 */
export function withConditionTables(text: string, page: string, of: Vocabularies): string {
  return text.replace(marked, (_, what: string, names: string) => {
    const [kind = '', ...types] = names.split(' ');
    const rows =
      what === 'conditions' ? conditionRows(of(kind).conditions, kind, types) : rejectionRows([kind, ...types], of);
    const lines = rows.map(
      (cells) => `|${cells.map((cell) => (cell === '' ? ' ' : ` ${relinked(cell, page)} `)).join('|')}|`,
    );
    return `<!-- ${what}: ${names} -->\n\n${lines.join('\n')}\n\n<!-- end -->`;
  });
}

type Rows = readonly (readonly string[])[];

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
  return [['Condition', 'Reason', 'Status', 'Meaning', 'Action'], Array(5).fill('---'), ...rows];
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
  return [['Kind', 'Reason', 'Action'], Array(3).fill('---'), ...rows];
}

const code = (text: string) => `\`${text}\``;

/** Links that start at the root of the repository, as they must be in a page. */
function relinked(text: string, page: string): string {
  return text.replace(/\]\((docs\/[^)#]*|examples\/[^)#]*)(#[^)]*)?\)/g, (_, target: string, anchor = '') => {
    const to = target === page ? '' : path.relative(path.dirname(page), target);
    return `](${to}${anchor})`;
  });
}
