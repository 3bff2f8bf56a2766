import { stringifyYaml } from '../../../operator/yaml/stringify-yaml.js';
import type { Json } from '../logic/tree.js';
import type { Mark } from '../values/setting.js';
import { operand } from './condition-text.js';
import { constantMarks } from './marks.js';

/** The variables of a loop over the entries of a value. */
export const loop = { key: '$key', item: '$item' } as const;

/**
 * A scalar as YAML, with expressions for its marks.
 * @param inside the value whose entries the template loops over here
 */
export function scalarText(value: Json, marks: readonly Mark[], inside?: Mark): string {
  const number = marks.find(({ as, text }) => as === 'number' && text === String(value));
  if (number) return `{{ ${number.expression} }}`;
  if (typeof value !== 'string') return String(value);
  const expressions = expressionsOf(marks, inside);
  const whole = expressions.get(value);
  if (whole !== undefined) return `{{ ${whole} | quote }}`;
  const parts = partsOf(value, [...expressions.keys()]);
  if (parts.length === 1) return withoutActions(plainText(value));
  const texts = parts.map((part) => {
    const expression = expressions.get(part);
    return expression === undefined ? withoutActions(JSON.stringify(part).slice(1, -1)) : `{{ ${expression} }}`;
  });
  return `"${texts.join('')}"`;
}

/** The expression for each mark. */
function expressionsOf(marks: readonly Mark[], inside: Mark | undefined): ReadonlyMap<string, string> {
  const all = new Map(
    Object.values(constantMarks).map(({ text, expression }) => [text as string, expression as string]),
  );
  for (const mark of marks) {
    if (mark.as === 'each') all.set(mark.text, `join "," ${operand(mark.expression)}`);
    else all.set(mark.text, mark.expression);
  }
  if (inside) {
    all.set(inside.text, inside.as === 'pairs' ? loop.key : loop.item);
    all.set(inside.entryText, loop.item);
  }
  return all;
}

/** A text, cut at the marks that it has. */
function partsOf(text: string, marks: readonly string[]): readonly string[] {
  const found = marks.filter((mark) => text.includes(mark));
  if (found.length === 0) return [text];
  return text.split(new RegExp(`(${found.join('|')})`)).filter((part) => part !== '');
}

function plainText(text: string): string {
  const yaml = stringifyYaml(text).trimEnd();
  return yaml.includes('\n') ? JSON.stringify(text) : yaml;
}

/** A text that Helm does not read as an action: alerts and descriptions have braces of their own. */
export function withoutActions(text: string): string {
  return text.replaceAll('{{', '{{ "{{" }}');
}
