import type { Strategy } from './merge-keys.js';
import { zeroValues } from './zero-values.js';

type Content = { -readonly [Part in keyof Strategy]: Strategy[Part] };

/** The lines of the table, by the name of the kind or type. Parsed for the first object, and not by each import. */
let lines: ReadonlyMap<string, string> | undefined;

function fieldsIn(name: string): string | undefined {
  lines ??= new Map(
    zeroValues
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
  );
  return lines.get(name);
}

const types = new Map<string, Strategy>();

/**
 * What the API server makes of zero values in a kind or a type of Kubernetes. Undefined for custom resources, whose zero
 * values it keeps.
 * @param name `apps/Deployment`, `core.PodSpec`
 */
export function typeOf(name: string): Strategy | undefined {
  const known = types.get(name);
  if (known) return known;
  const fields = fieldsIn(name);
  if (fields === undefined) return undefined;
  const type: Content = { typed: true };
  types.set(name, type); // before its fields, because a type may contain itself
  type.fields = Object.fromEntries(fields.split(' ').map(fieldOf));
  return type;
}

/** `paused?`, `containers!:core.Container*` */
function fieldOf(text: string): [name: string, strategy: Strategy] {
  const [, name = '', mark, type, items = ''] = /^([^?!:]+)([?!]?)(?::([^*]+)(\**))?$/.exec(text) ?? [];
  let content = (type && typeOf(type)) || { typed: true as const };
  for (const _ of items) content = { typed: true, each: content };
  if (!mark) return [name, content];
  return [name, { ...content, zero: mark === '!' ? 'null' : 'omitted' }];
}
