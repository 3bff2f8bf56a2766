import { defined, type JsonRule } from './json.js';

/**
 * A CEL rule on a field. `self` is the field's value; a rule that mentions `oldSelf` holds for updates only.
 * @see https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules
 */
export interface Rule {
  /** The CEL expression that must be true. */
  readonly rule: string;
  /** What is wrong and what to do, on one line. Said where `messageExpression` is absent or fails. */
  readonly message: string;
  /** A CEL expression that gives a message with the numbers of the case. */
  readonly messageExpression?: string;
  /** The machine-readable cause. @default FieldValueInvalid */
  readonly reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  /** The field below this one that the error points at, as `.scaling.minReplicas`. @default the field itself */
  readonly fieldPath?: string;
  /** `oldSelf` is an optional value and the rule holds for creations too. */
  readonly optionalOldSelf?: true;
}

/**
 * A rule that keeps a value as it is once it is set.
 *
 * On the field itself (no argument) it stops changes only: whoever may leave the field out can still add or remove it.
 * On the object around it, with the field's name, it stops those too.
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
 * A rule that a text matches an RE2 expression without quotes: as `pattern`, with a message for people. It is judged
 * wherever a `pattern` is, also of defaults and where no API server is asked.
 * @param text what must match, in CEL: `string(self)` of what may be a number
 */
export function matching(pattern: string, message: string, text: 'self' | 'string(self)' = 'self'): Rule {
  // Raw, so that the expression is read as it stands.
  return { rule: `${text}.matches(r'${pattern}')`, message };
}

/** The expression of a rule that {@link matching} made; of others undefined. */
export function patternOf({ rule }: JsonRule): string | undefined {
  return /^(?:self|string\(self\))\.matches\(r'([^']*)'\)$/.exec(rule)?.[1];
}

/** The rules as a CRD carries them, or undefined when there are none. */
export function jsonRules(rules: readonly Rule[] | undefined): readonly JsonRule[] | undefined {
  return rules?.length ? rules.map((rule) => defined({ ...rule })) : undefined;
}

const CEL_RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** How CEL spells a field's name: reserved words and the characters that no identifier has are escaped. */
function celName(field: string): string {
  if (CEL_RESERVED.has(field)) return `__${field}__`;
  return field
    .replaceAll('__', '__underscores__')
    .replaceAll('.', '__dot__')
    .replaceAll('-', '__dash__')
    .replaceAll('/', '__slash__');
}
