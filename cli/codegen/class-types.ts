import type { JsonSchema } from '../../crds/index.js';
import { comment, conversionCode, type FieldCode, inComment, interfaceCode } from './class-code.js';
import { acronymless, fieldName, memberName, pascal, untaken } from './names.js';
import { type Declaration, marked, titled } from './sharing/declaration.js';

/** The type of a field, and the code that converts a value of it to JSON. */
interface FieldType {
  readonly type: string;
  readonly toJson: (value: string) => string;
}

interface StructOptions {
  readonly title: string;
  /** Whether it is the props of a class. @default false */
  readonly isOfClass?: boolean;
  /** Whether it is a definition, whose uses have other comments. @default false */
  readonly isNamed?: boolean;
}

interface StructNames extends StructOptions {
  readonly name: string;
  /** The name in the conversion. */
  readonly json: string;
}

const asIs = (value: string) => value;

/** The schema of the metadata of a resource, for which cdk8s has a type. */
export const METADATA: JsonSchema = { type: 'object' };

/**
 * The types of the fields of the classes of one module: an interface and a conversion for each object, an enum, or a
 * class for a number or a string. Each has a name of its own, also where two paths spell the same name.
 */
export class ClassTypes {
  readonly #taken = new Set<string>();
  readonly #waiting: (() => Declaration)[] = [];
  readonly #prefix: string;

  /** @param prefix prefix of the names of types */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** A name of a type that no other has, without the prefix. */
  free(name: string): string {
    return untaken(name, this.#taken);
  }

  /** The name of a type in the code. */
  named(name: string): string {
    return this.#prefix + marked(name);
  }

  /** The types that are used and not declared yet, and those that these use. */
  rest(): readonly Declaration[] {
    const declared: Declaration[] = [];
    for (let declare = this.#waiting.shift(); declare; declare = this.#waiting.shift()) declared.push(declare());
    return declared;
  }

  /** The type of a value. @param path name of the type, if it needs one */
  of(schema: JsonSchema, path: string): FieldType {
    if (schema === METADATA) return { type: 'ApiObjectMetadata', toJson: asIs };
    if (schema['x-kubernetes-int-or-string'])
      return schema.anyOf ? this.#union(schema, path) : plain('number | string');
    const values = (schema.enum ?? []).filter((value) => typeof value === 'string' || typeof value === 'number');
    if (values.length > 0) return this.#enum(schema, values, path);
    if (schema.properties) return this.struct(schema, this.free(path), { title: path });
    if (schema.additionalProperties) return mapOf(this.of(schema.additionalProperties, path));
    if (schema.type === 'array') return listOf(this.of(schema.items ?? {}, path));
    return plain(PLAIN_TYPES[schema.type ?? 'object'] ?? 'any');
  }

  /** An interface. @param title name of the object in its documentation */
  struct(schema: JsonSchema, name: string, options: StructOptions): FieldType {
    // Other names are as `cdk8s import` has them, which adds the prefix only to classes and their props.
    const json = options.isOfClass ? this.named(name) : marked(name);
    this.#waiting.push(() => this.#struct(schema, { ...options, name, json }));
    return { type: this.named(name), toJson: (value) => `toJson_${json}(${value})` };
  }

  #enum({ description }: JsonSchema, values: readonly (string | number)[], path: string): FieldType {
    const name = this.free(path);
    const taken = new Set<string>();
    const members = [...new Set(values)].map(
      (value) =>
        `  /** ${inComment(String(value)).join(' ')} */\n  ${untaken(memberName(value), taken)} = ${JSON.stringify(value)},\n`,
    );
    const type = this.named(name);
    this.#waiting.push(() => ({
      name,
      comment: comment(description, titled(path)),
      code: `export enum ${type} {\n${members.join('')}}\n`,
      alias: { type, isValue: true },
    }));
    return plain(type);
  }

  #union({ description }: JsonSchema, path: string): FieldType {
    const name = this.free(path);
    const type = this.named(name);
    const maker = (from: string, value: string) =>
      `  public static ${from}(value: ${value}): ${type} {\n    return new ${type}(value);\n  }\n`;
    this.#waiting.push(() => ({
      name,
      comment: comment(description, titled(path)),
      code: `export class ${type} {
${maker('fromNumber', 'number')}${maker('fromString', 'string')}  private constructor(public readonly value: number | string) {
  }
}
`,
      alias: { type, isValue: true },
    }));
    return { type, toJson: (value) => `${value}?.value` };
  }

  #struct(schema: JsonSchema, { name, title, json, isOfClass, isNamed }: StructNames): Declaration {
    const taken = new Set<string>();
    const fields = Object.entries(schema.properties ?? {}).map(([key, field]): FieldCode => {
      const spelled = untaken(fieldName(key), taken);
      const { type, toJson } = this.of(field, title + acronymless(pascal(spelled)));
      const description = field === METADATA ? undefined : field.description;
      const isRequired = schema.required?.includes(key) === true;
      return { key, name: spelled, type, json: toJson(`obj.${spelled}`), description, isRequired };
    });
    const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
    const type = this.named(name);
    const struct = { name: type, title, json, fields, isOpen };
    return {
      name,
      comment: comment(schema.description, titled(title)),
      code: `${interfaceCode(struct)}\n${conversionCode(struct)}`,
      ...(isNamed && { isNamed }),
      // Each kind has props of its own.
      ...(!isOfClass && { alias: { type, conversion: `toJson_${json}` } }),
    };
  }
}

const PLAIN_TYPES: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  integer: 'number',
  number: 'number',
  string: 'string',
};

function plain(type: string): FieldType {
  return { type, toJson: asIs };
}

function listOf({ type, toJson }: FieldType): FieldType {
  return {
    type: /\s/.test(type) && !type.startsWith('{') ? `(${type})[]` : `${type}[]`,
    toJson: (value) => `${value}?.map(y => ${toJson('y')})`,
  };
}

function mapOf({ type, toJson }: FieldType): FieldType {
  return {
    type: `{ [key: string]: ${type} }`,
    toJson: (value) =>
      `((${value}) === undefined) ? undefined : (Object.entries(${value}).reduce((r, i) => (i[1] === undefined) ? r : ({ ...r, [i[0]]: ${toJson('i[1]')} }), {}))`,
  };
}
