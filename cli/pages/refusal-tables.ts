import type { Kind } from '../../crds/index.js';
import { type Refusal, refusalsOf } from './refusals.js';
import { code, type Rows, type Sections, tableOf } from './sections.js';

/**
 * The tables of what the API server refuses: `<!-- refusals: KIND… -->`, and `<!-- refusals: podTemplate -->` for the
 * settings of Pods in the kinds that users create, which the other tables leave out.
 */
export function refusalTables(kinds: readonly Kind[], created: readonly Kind[]): Sections {
  return {
    refusals: (names) => tableOf(names[0] === 'podTemplate' ? podTemplateRows(created) : kindRows(names, kinds)),
  };
}

/** The part of a path below the settings of Pods, such as `env` of `spec.brokers.podTemplate.env[].name`. */
const podSetting = /(?:^|\.)podTemplate\.(\w+)/;

/** @throws {Error} if there is no kind of a name */
function kindRows(names: readonly string[], kinds: readonly Kind[]): Rows {
  const refusals = names.flatMap((name) => {
    const kind = kinds.find((one) => one.kind === name);
    if (!kind) throw new Error(`no kind ${name}: correct the comment in docs/`);
    return refusalsOf(kind)
      .filter(({ path }) => !podSetting.test(path))
      .map(({ message, path }) => ({ message, field: path === '' ? `the ${name}` : code(path) }));
  });
  return [
    ['Message', 'Field'],
    ...[...grouped(refusals)].map(([message, fields]) => [cell(message), [...fields].join(', ')]),
  ];
}

function podTemplateRows(kinds: readonly Kind[]): Rows {
  const refusals = kinds.flatMap((kind) =>
    refusalsOf(kind).flatMap(({ message, path }: Refusal) => {
      const [, field] = podSetting.exec(path) ?? [];
      return field === undefined ? [] : [{ message, field: code(field), kind: kind.kind }];
    }),
  );
  const of = grouped(refusals.map(({ message, kind }) => ({ message, field: kind })));
  const all = new Set(refusals.map(({ kind }) => kind)).size;
  const rows = [...grouped(refusals)].map(([message, fields]) => {
    const names = of.get(message) ?? new Set();
    return [cell(message), [...fields].join(', '), names.size === all ? 'all' : [...names].join(', ')];
  });
  return [['Message', 'Field of `podTemplate`', 'Kinds'], ...rows];
}

/** A pipe would end the cell. */
const cell = (text: string) => text.replaceAll('|', '\\|');

/** Each message once, where it is first, with the fields that have it. */
function grouped(refusals: readonly { message: string; field: string }[]): ReadonlyMap<string, ReadonlySet<string>> {
  const fields = new Map<string, Set<string>>();
  for (const { message, field } of refusals) fields.set(message, (fields.get(message) ?? new Set()).add(field));
  return fields;
}
