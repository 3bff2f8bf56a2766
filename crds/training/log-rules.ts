import { boolean, enumeration, integer, keyedList, number, object, type Rule, string } from '../schema/index.js';
import { hasLogValue, isLogPattern } from './log-pattern.js';

/**
 * CEL has only RE2, whose syntax lacks what Python has beside it: look-around, and references to groups. Of these, the
 * operator finds the mistakes. An expression that cannot be parsed fails the rule, with the reason of the parser.
 */
const EXPRESSION: Rule = {
  rule: "self.contains('(?=') || self.contains('(?!') || self.contains('(?<') || self.contains('(?P=') || self.contains('(?>') || self.matches(r'\\\\[1-9]') || ''.matches(self) ? true : true",
  message:
    'must be a regular expression, such as .*loss=([0-9.]+).*; escape the characters \\ ( ) [ ] { } * + ? | ^ $ .',
  holds: isLogPattern,
};

interface Given {
  readonly logPattern?: string;
  readonly expectedStartCutOffInSeconds?: number;
  readonly expectedRecurringFrequencyInSeconds?: number;
  readonly metricThreshold?: number;
  readonly operator?: string;
  readonly metricEvaluationDataPoints?: number;
  readonly faultOnMatch?: boolean;
}

const RULES: readonly Rule[] = [
  {
    rule: '!has(self.metricThreshold) || has(self.operator)',
    message:
      'must be set with metricThreshold; set it to gt, gteq, lt, lteq or eq: a value for which it is true is a fault',
    reason: 'FieldValueRequired',
    fieldPath: '.operator',
    holds: ({ metricThreshold, operator }: Given) => metricThreshold === undefined || operator !== undefined,
  },
  {
    rule: '!has(self.operator) || has(self.metricThreshold)',
    message:
      'must be set with operator; set the value that the first group of logPattern is compared with, or remove operator',
    reason: 'FieldValueRequired',
    fieldPath: '.metricThreshold',
    holds: ({ metricThreshold, operator }: Given) => operator === undefined || metricThreshold !== undefined,
  },
  {
    rule: '!has(self.metricEvaluationDataPoints) || has(self.metricThreshold)',
    message: 'must not be set without metricThreshold; set metricThreshold and operator, or remove it',
    reason: 'FieldValueForbidden',
    fieldPath: '.metricEvaluationDataPoints',
    holds: ({ metricThreshold, metricEvaluationDataPoints }: Given) =>
      metricEvaluationDataPoints === undefined || metricThreshold !== undefined,
  },
  {
    rule: "!has(self.metricThreshold) || self.logPattern.matches(r'(^|[^\\\\])\\(([^?]|\\?P?<[A-Za-z_])')",
    message: 'must have a group in parentheses that captures the value for metricThreshold, such as .*loss=([0-9.]+).*',
    messageExpression:
      "'\"' + self.logPattern + '\": must have a group in parentheses that captures the value for metricThreshold, such as .*loss=([0-9.]+).*'",
    fieldPath: '.logPattern',
    holds: ({ metricThreshold, logPattern = '' }: Given) => metricThreshold === undefined || hasLogValue(logPattern),
  },
  {
    rule: 'has(self.expectedStartCutOffInSeconds) || has(self.expectedRecurringFrequencyInSeconds) || has(self.metricThreshold) || (has(self.faultOnMatch) && self.faultOnMatch)',
    message:
      'must have expectedStartCutOffInSeconds, expectedRecurringFrequencyInSeconds, metricThreshold or faultOnMatch: true, because it finds nothing otherwise; set one of them',
    holds: (rule: Given) =>
      rule.expectedStartCutOffInSeconds !== undefined ||
      rule.expectedRecurringFrequencyInSeconds !== undefined ||
      rule.metricThreshold !== undefined ||
      rule.faultOnMatch === true,
  },
];

const pattern = (description: string) => string(description, { minLength: 1, maxLength: 512, rules: [EXPRESSION] });
const seconds = (description: string) => integer(description, { minimum: 1, maximum: 604_800, optional: true });

/** `spec.health.logRules`, with the fields of `logMonitoringConfiguration` of HyperPod. */
export const logRules = keyedList(
  'Rules over the logs of the workers, for any program. The fields are those of `logMonitoringConfiguration` of HyperPod.',
  ['name'],
  object(
    'Rule over the logs of the workers.',
    {
      name: string('Name of the rule, such as `JobHangingDetection`.', { minLength: 1, maxLength: 63 }),
      logPattern: pattern(
        'Regular expression, in the syntax of Python without `(?x)`, of the lines that the rule is about. It can match anywhere in the first 4096 characters of a line.',
      ),
      expectedStartCutOffInSeconds: seconds(
        'Seconds from the start within which a line of any worker must match. Defaults to no limit.',
      ),
      expectedRecurringFrequencyInSeconds: seconds(
        'Seconds after a match within which another line of the same worker must match. Defaults to no limit.',
      ),
      metricThreshold: number('Value that the first group of `logPattern` is compared with. Defaults to none.', {
        format: 'double',
        optional: true,
      }),
      operator: enumeration(
        'Comparison that is true for a bad value: greater than (`gt`), greater or equal (`gteq`), less than (`lt`), less or equal (`lteq`), or equal (`eq`).',
        ['gt', 'gteq', 'lt', 'lteq', 'eq'],
        { optional: true },
      ),
      metricEvaluationDataPoints: integer('Number of bad values in a row that are a fault. Defaults to 1.', {
        minimum: 1,
        maximum: 1_000_000,
        optional: true,
      }),
      faultOnMatch: boolean('Whether each match is a fault. Defaults to false.', { default: false }),
      stopPattern: string('Regular expression of the line after which the rule no longer applies. Defaults to none.', {
        ...{ minLength: 1, maxLength: 512, optional: true },
        rules: [EXPRESSION],
      }),
    },
    { rules: RULES },
  ),
  { maxItems: 32, default: [] },
);
