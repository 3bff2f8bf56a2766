import { stringifyYaml } from '../../../operator/yaml/stringify-yaml.js';
import { allOf, always, type Condition, isAlways } from '../logic/condition.js';
import { type Entry, entriesIn, isList, type Json, type Tree } from '../logic/tree.js';
import type { Mark } from '../values/setting.js';
import { conditionText, operand, type SettingText } from './condition-text.js';
import { constantMarks } from './marks.js';
import { loop, scalarText, withoutActions } from './scalar-text.js';

/** What the lines of a template depend on. */
export interface Template {
  readonly marks: readonly Mark[];
  readonly settingText: SettingText;
  /** The value whose entries the template loops over here. @default - none */
  readonly inside?: Mark;
}

/** The lines of a map or list. @param indent number of spaces */
export function linesOf(tree: Tree, indent: number, template: Template): readonly string[] {
  if (tree.kind === 'value' && !hasMark(tree.value, template)) return staticLines(tree.value, indent);
  const entries = entriesIn(tree) ?? [];
  return isList(tree) ? listLines(entries, indent, template) : mapLines(entries, indent, template);
}

/** Lines that are there on a condition. */
export interface Guarded {
  readonly condition: Condition;
  readonly lines: readonly string[];
}

/** Parts in their order. Neighbours with the same condition share it. */
export function guarded(parts: readonly Guarded[], indent: number, { settingText }: Template): readonly string[] {
  const pad = ' '.repeat(indent);
  const texts = parts.map(({ condition }) => (isAlways(condition) ? '' : conditionText(condition, settingText)));
  return parts.flatMap(({ lines }, index) => {
    const text = texts[index];
    if (text === '') return lines;
    const start = texts[index - 1] === text ? [] : [`${pad}{{- if ${text} }}`];
    return [...start, ...lines, ...(texts[index + 1] === text ? [] : [`${pad}{{- end }}`])];
  });
}

/** The mark that is a scalar, or the value of a field of it. The innermost part that has a mark is the one it is about. */
export function directMark(tree: Tree, marks: readonly Mark[]): Mark | undefined {
  const values = tree.kind === 'value' ? [tree.value] : [];
  const fields = (entriesIn(tree) ?? []).flatMap((entry) => (entry.tree.kind === 'value' ? [entry.tree.value] : []));
  return marks.findLast(({ text }) => values.includes(text) || fields.includes(text));
}

/** The value whose entries repeat a part, if there is one. */
export function repeatedBy(tree: Tree, { marks }: Template): Mark | undefined {
  return directMark(
    tree,
    marks.filter(({ as }) => as === 'each' || as === 'pairs'),
  );
}

/** Lines that are repeated for each entry of a value. */
export function repeated(mark: Mark, lines: readonly string[], indent: number): readonly string[] {
  const pad = ' '.repeat(indent);
  const variables = mark.as === 'pairs' ? `${loop.key}, ${loop.item}` : loop.item;
  return [`${pad}{{- range ${variables} := ${mark.expression} }}`, ...lines, `${pad}{{- end }}`];
}

/** Parts without marks, as every YAML file of the package. */
function staticLines(value: Json, indent: number): readonly string[] {
  const pad = ' '.repeat(indent);
  const lines = withoutActions(stringifyYaml(value)).trimEnd().split('\n');
  return lines.map((line) => (line === '' ? '' : pad + line));
}

function hasMark(value: Json, { marks }: Template): boolean {
  const text = JSON.stringify(value);
  return [...marks, ...Object.values(constantMarks)].some((mark) => text.includes(mark.text));
}

function mapLines(entries: readonly Entry[], indent: number, template: Template): readonly string[] {
  const splats = template.marks.filter(({ as, text }) => as === 'map' && entries.some(({ key }) => key === text));
  const own = entries.filter(({ key }) => !splats.some(({ text }) => text === key));
  // Of two values with the same key, the later one counts.
  const [only = '', ...more] = splats.map(({ expression }) => expression).toReversed();
  const all = more.length === 0 ? only : `merge (dict) ${[only, ...more].map(operand).join(' ')}`;
  const replaced = splats.some(({ overrides }) => overrides);
  const parts = own.map((entry): Guarded => {
    const lines = entryOf(entry, indent, template);
    // The schema refuses keys of Helm.
    if (!replaced || entry.key.startsWith('helm.sh/')) return { condition: entry.condition, lines };
    const pad = ' '.repeat(indent);
    const start = `${pad}{{- if not (hasKey ${operand(all)} "${entry.key}") }}`;
    return { condition: entry.condition, lines: [start, ...lines, `${pad}{{- end }}`] };
  });
  return [
    ...guarded(parts, indent, template),
    ...(splats.length === 0 ? [] : splatLines(all, indent, own.length === 0)),
  ];
}

/** All entries of a map, or all items of a list. @param isAll whether there is nothing else, so that it is not empty */
function splatLines(expression: string, indent: number, isAll: boolean): readonly string[] {
  const pad = ' '.repeat(indent);
  if (isAll) return [`${pad}{{- toYaml ${operand(expression)} | nindent ${indent} }}`];
  return [`${pad}{{- with ${expression} }}`, `${pad}{{- toYaml . | nindent ${indent} }}`, `${pad}{{- end }}`];
}

function entryOf({ key, tree }: Entry, indent: number, template: Template): readonly string[] {
  const start = `${' '.repeat(indent)}${scalarText(key, template.marks, template.inside)}:`;
  if (tree.kind === 'choice') return choiceLines(start, tree, indent, template);
  if (tree.kind === 'value' && (typeof tree.value !== 'object' || tree.value === null)) {
    return [`${start} ${scalarText(tree.value, template.marks, template.inside)}`];
  }
  if (entriesIn(tree)?.length === 0) return [`${start} ${isList(tree) ? '[]' : '{}'}`];
  return [start, ...linesOf(tree, indent + 2, template)];
}

function choiceLines(start: string, tree: Tree & { kind: 'choice' }, indent: number, template: Template) {
  const pad = ' '.repeat(indent);
  const line = (value: Json) => `${start} ${scalarText(value, template.marks, template.inside)}`;
  const options = tree.options.flatMap(({ condition, value }, index) => [
    `${pad}{{- ${index === 0 ? 'if' : 'else if'} ${conditionText(condition, template.settingText)} }}`,
    line(value),
  ]);
  return [...options, `${pad}{{- else }}`, line(tree.last), `${pad}{{- end }}`];
}

function listLines(entries: readonly Entry[], indent: number, template: Template): readonly string[] {
  const parts = entries.map(({ condition, tree }): Guarded => {
    const splat = directMark(
      tree,
      template.marks.filter(({ as }) => as === 'items'),
    );
    if (splat) return { condition: always, lines: splatLines(splat.expression, indent, entries.length === 1) };
    const by = repeatedBy(tree, template);
    if (!by) return { condition, lines: itemLines(tree, indent, template) };
    return { condition: always, lines: repeated(by, itemLines(tree, indent, { ...template, inside: by }), indent) };
  });
  return guarded(parts, indent, template);
}

function itemLines(tree: Tree, indent: number, template: Template): readonly string[] {
  const pad = ' '.repeat(indent);
  if (tree.kind === 'choice') return choiceLines(`${pad}-`, tree, indent, template);
  if (tree.kind === 'value' && (typeof tree.value !== 'object' || tree.value === null)) {
    return [`${pad}- ${scalarText(tree.value, template.marks, template.inside)}`];
  }
  const [first = '', ...more] = linesOf(alwaysFirst(tree), indent + 2, template);
  return [`${pad}- ${first.slice(indent + 2)}`, ...more];
}

/** The dash of an item needs an entry that is always there. */
function alwaysFirst(tree: Tree): Tree {
  if (tree.kind !== 'map') return tree;
  const first = tree.entries.find(({ condition, tree: { kind } }) => isAlways(condition) && kind !== 'choice');
  if (!first)
    throw new Error(`an item must have an entry that is always there, got ${tree.entries.map(({ key }) => key)}`);
  return { ...tree, entries: [first, ...tree.entries.filter((entry) => entry !== first)] };
}

/** The condition of a part without what its loop ensures: there are no entries without the value. */
export function withoutLoop(condition: Condition, by: Mark | undefined): Condition {
  if (!by) return condition;
  const rest = ('all' in condition ? condition.all : [condition]).filter(
    (one) => !('setting' in one && one.setting === by.value),
  );
  return rest.length === 0 ? always : allOf(rest);
}
