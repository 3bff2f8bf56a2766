import { defined, type JsonRule } from './json.js';

/**
 * A CEL rule for a field. `self` is the value of the field. A rule that mentions `oldSelf` applies only to updates.
 * @see https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules
 */
export interface Rule {
  /** The CEL expression that must be true. */
  readonly rule: string;
  /** The requirement and what to do, on one line. It is used if `messageExpression` is absent or fails. */
  readonly message: string;
  /** A CEL expression for a message with the values of the case. */
  readonly messageExpression?: string;
  /** The machine-readable reason. @default FieldValueInvalid */
  readonly reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  /**
   * The path of the field below this one that the error reports, such as `.scaling.minReplicas`.
   * @default the field itself
   */
  readonly fieldPath?: string;
  /** Makes `oldSelf` an optional value, so that the rule applies to creations too. */
  readonly optionalOldSelf?: true;
  /**
   * The same requirement for a value of the right type that no API server checks, such as in `cdk8s synth`.
   * @default - only the API server checks the rule
   */
  readonly holds?: (value: never) => boolean;
}

/**
 * A rule that makes a field immutable.
 *
 * On the field itself (without an argument), the rule refuses only changes. Users can still add or remove an optional
 * field. On the object around it, with the name of the field, the rule refuses these too.
 */
export function immutable(field?: string): Rule {
  if (field === undefined) {
    return { rule: 'self == oldSelf', message: 'is immutable; create another resource with the new value' };
  }
  const name = celName(field);
  return {
    rule: `has(self.${name}) == has(oldSelf.${name}) && (!has(self.${name}) || self.${name} == oldSelf.${name})`,
    message: `${field} is immutable; create another resource with the new value`,
    fieldPath: `.${field}`,
  };
}

/**
 * A rule that a text must match an RE2 expression without quotes. It is a `pattern` with a readable message. Like a
 * `pattern`, it is also checked for defaults and without an API server.
 * @param text the CEL expression of the text: `string(self)` for a value that can be a number
 */
export function matching(pattern: string, message: string, text: 'self' | 'string(self)' = 'self'): Rule {
  // A raw literal, so that CEL does not unescape the expression.
  return { rule: `${text}.matches(r'${pattern}')`, message };
}

/** The expression of a rule that {@link matching} created, or undefined for other rules. */
export function patternOf({ rule }: JsonRule): string | undefined {
  return /^(?:self|string\(self\))\.matches\(r'([^']*)'\)$/.exec(rule)?.[1];
}

/** The rules in the form of a CRD, or undefined if there are none. */
export function jsonRules(rules: readonly Rule[] | undefined): readonly JsonRule[] | undefined {
  return rules?.length ? rules.map(jsonRule) : undefined;
}

const predicates = new WeakMap<JsonRule, (value: never) => boolean>();

function jsonRule({ holds, ...rule }: Rule): JsonRule {
  const json = defined({ ...rule });
  if (holds) predicates.set(json, holds);
  return json;
}

/** True if the rule can be checked without CEL by {@link Rule.holds}, and the value breaks it. */
export function isBroken(rule: JsonRule, value: unknown): boolean {
  const holds = predicates.get(rule);
  return holds !== undefined && !holds(value as never);
}

const CEL_RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** The name of a field in CEL. CEL escapes reserved words and characters that identifiers cannot have. */
function celName(field: string): string {
  if (CEL_RESERVED.has(field)) return `__${field}__`;
  return field
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
}
