import { matching } from './rule.js';
import { type FieldOptions, type FieldSchema, field } from './schema.js';

/** The formats of strings that the API server checks. */
export type StringFormat =
  | 'byte'
  | 'cidr'
  | 'date'
  | 'date-time'
  | 'duration'
  | 'email'
  | 'hostname'
  | 'ipv4'
  | 'ipv6'
  | 'mac'
  | 'password'
  | 'uri'
  | 'uuid';

/** Limits of a string. Lengths are in characters. */
export interface StringLimits {
  readonly minLength?: number;
  readonly maxLength?: number;
  /** An RE2 expression. Anchor it with `^` and `$`, because it matches anywhere otherwise. */
  readonly pattern?: string;
  readonly format?: StringFormat;
}

/** Limits of a number, both included. */
export interface NumberLimits {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A string. */
export function string<
  D extends string | undefined = undefined,
  O extends true | false = false,
  N extends true | false = false,
>(description: string, options: StringLimits & FieldOptions<D, O, N> = {}): FieldSchema<string, string, D, O, N> {
  const { minLength, maxLength, pattern, format } = options;
  return field(description, { type: 'string', format, minLength, maxLength, pattern }, options);
}

/** A string that must be one of the given values. */
export function enumeration<
  const Values extends readonly [string, ...string[]],
  D extends Values[number] | undefined = undefined,
  O extends true | false = false,
  N extends true | false = false,
>(
  description: string,
  values: Values,
  options: FieldOptions<D, O, N> = {},
): FieldSchema<Values[number], Values[number], D, O, N> {
  return field(description, { type: 'string', enum: values }, options);
}

/** A whole number. `int64` is limited to the exact range of JSON numbers, 2^53. @default format int32 */
export function integer<
  D extends number | undefined = undefined,
  O extends true | false = false,
  N extends true | false = false,
>(
  description: string,
  options: NumberLimits & { readonly format?: 'int32' | 'int64' } & FieldOptions<D, O, N> = {},
): FieldSchema<number, number, D, O, N> {
  const { minimum, maximum, format = 'int32' } = options;
  return field(description, { type: 'integer', format, minimum, maximum }, options);
}

/** A number with decimals. */
export function number<
  D extends number | undefined = undefined,
  O extends true | false = false,
  N extends true | false = false,
>(
  description: string,
  options: NumberLimits & { readonly format?: 'float' | 'double' } & FieldOptions<D, O, N> = {},
): FieldSchema<number, number, D, O, N> {
  const { minimum, maximum, format } = options;
  return field(description, { type: 'number', format, minimum, maximum }, options);
}

/** A boolean. */
export function boolean<
  D extends boolean | undefined = undefined,
  O extends true | false = false,
  N extends true | false = false,
>(description: string, options: FieldOptions<D, O, N> = {}): FieldSchema<boolean, boolean, D, O, N> {
  return field(description, { type: 'boolean' }, options);
}

/** A whole number or a string, such as `maxUnavailable: 1` and `maxUnavailable: 25%`. */
export function intOrString<
  D extends number | string | undefined = undefined,
  O extends true | false = false,
  N extends true | false = false,
>(
  description: string,
  options: StringLimits & NumberLimits & FieldOptions<D, O, N> = {},
): FieldSchema<number | string, number | string, D, O, N> {
  const { minimum, maximum, minLength, maxLength, pattern } = options;
  const own = { ...INT_OR_STRING, minimum, maximum, minLength, maxLength, pattern };
  return field(description, own, options);
}

/** The message for an invalid quantity. */
export interface QuantityText {
  /**
   * The requirement and what to do. It becomes a rule, so lists and maps around the field need limits.
   * @default - the API server reports the expression that must match
   */
  readonly message?: string;
}

/** A quantity of 0 or more, such as `500m`, `1.5`, `2Gi` or `4`. */
export function quantity<
  D extends number | string | undefined = undefined,
  O extends true | false = false,
  N extends true | false = false,
>(
  description: string,
  { message, ...options }: QuantityText & FieldOptions<D, O, N> = {},
): FieldSchema<number | string, number | string, D, O, N> {
  const own = { ...INT_OR_STRING, minimum: 0, maxLength: 32 };
  if (message === undefined) return field(description, { ...own, pattern: NON_NEGATIVE_QUANTITY }, options);
  const rules = [matching(NON_NEGATIVE_QUANTITY, message, 'string(self)'), ...(options.rules ?? [])];
  return field(description, own, { ...options, rules });
}

/** Any JSON object, stored without pruning, for content that another program defines. */
export function preserved<
  D extends Readonly<Record<string, unknown>> | undefined = undefined,
  O extends true | false = false,
  N extends true | false = false,
>(
  description: string,
  options: FieldOptions<D, O, N> = {},
): FieldSchema<Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>, D, O, N> {
  return field(description, { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, options);
}

// The only form of `anyOf` that a structural schema may have with this extension.
const INT_OR_STRING = {
  'x-kubernetes-int-or-string': true,
  anyOf: [{ type: 'integer' }, { type: 'string' }],
} as const;

const NON_NEGATIVE_QUANTITY = '^\\+?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$';
