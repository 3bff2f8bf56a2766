import { type CustomResourceDefinition, type Kind, toCustomResourceDefinition } from '../../crds/index.js';
import type { JsonRule, JsonSchema } from '../../crds/schema/json.js';

/** A rule of the schema that the API server checks. */
export interface Refusal {
  /** What the API server answers, with an ellipsis for the rejected value. */
  readonly message: string;
  /** Such as `spec.steps[].weight`. Empty for the resource as a whole. */
  readonly path: string;
}

/** What the API server refuses of a kind, in the order of its fields. */
export function refusalsOf(kind: Kind): readonly Refusal[] {
  const { spec }: CustomResourceDefinition = toCustomResourceDefinition(kind);
  return spec.versions.flatMap(({ schema }) => refusalsIn(schema.openAPIV3Schema, ''));
}

/** What the API server refuses of a value, and of the values in it. @param at path of the value */
export function refusalsIn(schema: JsonSchema, at: string): readonly Refusal[] {
  const { properties = {}, items, additionalProperties: values } = schema;
  const own = (schema['x-kubernetes-validations'] ?? []).map((rule) => ({
    message: messageOf(rule),
    path: `${at}${rule.fieldPath ?? ''}`.replace(/^\./, ''),
  }));
  return [
    ...own,
    ...Object.entries(properties).flatMap(([field, below]) => refusalsIn(below, at === '' ? field : `${at}.${field}`)),
    ...(items ? refusalsIn(items, `${at}[]`) : []),
    ...(values ? refusalsIn(values, `${at}.*`) : []),
  ];
}

/** Its message. Of an expression in CEL, the texts, and an ellipsis for each value between them. */
function messageOf({ message = '', messageExpression: expression }: JsonRule): string {
  if (expression === undefined) return message;
  const [, formatted] = /^'([^']*)'\.format\(/.exec(expression) ?? [];
  if (formatted !== undefined) return formatted.replaceAll(/%[ds]/g, '…');
  const text = (term: string) => /^'([^']*)'$/.exec(term)?.[1] ?? '…';
  return termsOf(expression).map(text).join('');
}

/** The terms of a sum in CEL: it is split at each plus that is in no text, bracket or parenthesis. */
function termsOf(expression: string): readonly string[] {
  const tokens = expression.match(/'[^']*'|[[\](){}]|\+|[^'[\](){}+]+/g) ?? [];
  const terms = [''];
  let depth = 0;
  for (const token of tokens) {
    if ('[({'.includes(token)) depth++;
    if ('])}'.includes(token)) depth--;
    if (token === '+' && depth === 0) terms.push('');
    else terms[terms.length - 1] += token;
  }
  return terms.map((term) => term.trim());
}
