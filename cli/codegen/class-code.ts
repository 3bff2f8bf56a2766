import { literal } from './names.js';
import { titled } from './sharing/declaration.js';

/** A field of an interface. */
export interface FieldCode {
  /** The key in JSON. */
  readonly key: string;
  readonly name: string;
  readonly type: string;
  /** The code that converts the field of `obj` to JSON. */
  readonly json: string;
  readonly description: string | undefined;
  readonly isRequired: boolean;
}

/** An interface, and the function that converts an object of it to JSON. */
export interface StructCode {
  readonly name: string;
  /** Its name in the documentation. */
  readonly title: string;
  /** The name in the function. */
  readonly json: string;
  readonly fields: readonly FieldCode[];
  /** Whether an object can have other fields. */
  readonly isOpen: boolean;
}

export function interfaceCode({ name, title, fields, isOpen }: StructCode): string {
  const members = fields.map(
    (field) =>
      `${comment(field.description, `${titled(title)}#${field.key}`, { indent: '  ' })}  readonly ${field.name}${field.isRequired ? '' : '?'}: ${field.type};\n`,
  );
  const open = '  /** Fields that the schema does not name. */\n  readonly [field: string]: any;\n';
  return `export interface ${name} {\n${[...members, ...(isOpen ? [open] : [])].join('\n')}}\n`;
}

export function conversionCode({ name, json, fields, isOpen }: StructCode): string {
  const renamed = fields.filter((field) => field.key !== field.name);
  const others = isOpen ? ['    ...obj,\n', ...renamed.map((field) => `    ${literal(field.name)}: undefined,\n`)] : [];
  const known = fields.map((field) => `    ${literal(field.key)}: ${field.json},\n`);
  return `/**
 * Converts an object of type '${json}' to JSON representation.
 */
/* eslint-disable max-len, @stylistic/max-len, quote-props, @stylistic/quote-props */
export function toJson_${json}(obj: ${name} | undefined): Record<string, any> | undefined {
  if (obj === undefined) { return undefined; }
  const result = {
${[...others, ...known].join('')}  };
  // filter undefined values
  return Object.entries(result).reduce((r, i) => (i[1] === undefined) ? r : ({ ...r, [i[0]]: i[1] }), {});
}
/* eslint-enable max-len, @stylistic/max-len, quote-props, @stylistic/quote-props */
`;
}

/** A JSDoc comment. The default of a field is what its description says. */
export function comment(
  description: string | undefined,
  schema: string,
  { indent = '', isDefaultTold = true }: { readonly indent?: string; readonly isDefaultTold?: boolean } = {},
): string {
  const [, fallback] = (isDefaultTold && /Defaults?\W+(?:to|is)\W+(.+)/.exec(description ?? '')) || [];
  const tags = [...(fallback === undefined ? [] : [`@default ${fallback}`]), `@schema ${schema}`];
  const lines = [...(description ? [...description.split('\n').map((line) => line.trim()), ''] : []), ...tags];
  const text = lines.flatMap(inComment).map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`);
  return `${indent}/**\n${text.join('')}${indent} */\n`;
}

/** The lines of a text that cannot end a comment. */
export function inComment(text: string): readonly string[] {
  return text.replaceAll('*/', '_/').split(/[\n\r\u2028\u2029]/);
}
