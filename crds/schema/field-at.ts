import { type JsonSchema, memberSchema } from './json.js';

const SEGMENT = /\.([A-Za-z_][\w-]*)|\['((?:[^'\\]|\\.)+)'\]|(\[[^\]]*\])/y;

/**
 * The field that a path such as `.status.conditions[?(@.type=="Ready")].status` leads to, if the schema has it.
 * Brackets that do not hold a quoted name pick items of a list.
 */
export function fieldAt(schema: JsonSchema, path: string): JsonSchema | undefined {
  let field: JsonSchema | undefined = schema;
  SEGMENT.lastIndex = 0;
  for (let read = 0; read < path.length; read = SEGMENT.lastIndex) {
    const segment = SEGMENT.exec(path);
    if (!segment || !field) return undefined;
    field = segment[3] ? field.items : memberSchema(field, segment[1] ?? segment[2] ?? '');
  }
  return path === '' ? undefined : field;
}
