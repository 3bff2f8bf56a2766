import {
  celSeconds,
  duration,
  enumeration,
  integer,
  list,
  map,
  number,
  object,
  quantity,
  type Rule,
  secondsOf,
  string,
} from '../schema/index.js';

/** The budgets that every failure without a rule counts against. */
export const standardBudgets = { submission: 3, run: 3, preemption: 10 } as const;

const names = Object.keys(standardBudgets);

const BUDGET_NAME = '^[a-z]([-a-z0-9]*[a-z0-9])?$';

interface RuleInput {
  readonly when?: Readonly<Record<string, readonly unknown[]>>;
  readonly do?: string;
  readonly budget?: string;
  readonly with?: unknown;
}

interface RetryInput {
  readonly budgets?: Readonly<Record<string, number>>;
  readonly rules?: readonly RuleInput[];
}

const conditions = ['exitCodes', 'reason', 'message', 'podConditions'] as const;

const WHEN_SAYS: Rule = {
  rule: conditions.map((name) => `has(self.${name})`).join(' || '),
  message: `must have ${conditions.slice(0, -1).join(', ')} or podConditions, because a rule without a condition matches every failure; set one of them`,
  holds: (when: object) => conditions.some((name) => name in when),
};

const FAIL_ALONE: Rule = {
  rule: "self.do != 'Fail' || (!has(self.budget) && !has(self.with))",
  message:
    'must not have budget or with, because a job that fails has no further attempt; remove them, or set do to Retry',
  reason: 'FieldValueForbidden',
  holds: ({ do: does, budget, with: more }: RuleInput) =>
    does !== 'Fail' || (budget === undefined && more === undefined),
};

const STANDARD = `[${names.map((name) => `'${name}'`).join(', ')}]`;

// The API server checks the default of the object before it adds the defaults of its fields.
const celKnown = (budget: string) => `(has(self.budgets) && ${budget} in self.budgets) || ${budget} in ${STANDARD}`;

const KNOWN_BUDGET: Rule = {
  rule: `!has(self.rules) || self.rules.all(rule, !has(rule.budget) || ${celKnown('rule.budget')})`,
  message: `must name a budget of budgets, or ${names.join(', ')}; add the budget, or correct the name`,
  messageExpression: `'budget ' + self.rules.map(rule, has(rule.budget) && !(${celKnown('rule.budget')}), rule.budget)[0] + ' is not in budgets; add it there, or correct the name'`,
  fieldPath: '.rules',
  holds: ({ budgets = {}, rules = [] }: RetryInput) =>
    rules.every(({ budget }) => budget === undefined || Object.hasOwn(budgets, budget) || names.includes(budget)),
};

const celUsed = (budget: string) =>
  `${budget} in ${STANDARD} || (has(self.rules) && self.rules.exists(rule, has(rule.budget) && rule.budget == ${budget}))`;

const USED_BUDGET: Rule = {
  rule: `!has(self.budgets) || self.budgets.all(name, ${celUsed('name')})`,
  message:
    'must not have a budget that no rule names, because nothing counts against it; add a rule with it, or remove it',
  messageExpression: `'budget ' + self.budgets.filter(name, !(${celUsed('name')}))[0] + ' is in no rule, so nothing counts against it; add a rule with it, or remove it'`,
  fieldPath: '.budgets',
  holds: ({ budgets = {}, rules = [] }: RetryInput) =>
    Object.keys(budgets).every((name) => names.includes(name) || rules.some(({ budget }) => budget === name)),
};

const BACKOFF_FITS: Rule = {
  rule: `(has(self.initial) ? ${celSeconds('self.initial')} : 10) <= (has(self.max) ? ${celSeconds('self.max')} : 600)`,
  message: 'must be at most max; lower initial, or raise max',
  messageExpression:
    "'initial %s must be at most max %s; lower initial, or raise max'.format([self.initial, self.max])",
  fieldPath: '.initial',
  holds: ({ initial = '10s', max = '10m' }: { readonly initial?: string; readonly max?: string }) =>
    secondsOf(initial) <= secondsOf(max),
};

const texts = (description: string, item: string, maxLength: number) =>
  list(description, string(item, { minLength: 1, maxLength }), { minItems: 1, maxItems: 16, optional: true });

const rule = object(
  'Rule for failures of one kind.',
  {
    when: object(
      'Failures that the rule matches. All of its lists must match, and of each list one entry is enough.',
      {
        exitCodes: list(
          'Exit codes of the container that failed.',
          integer('Exit code.', { minimum: 0, maximum: 255 }),
          { minItems: 1, maxItems: 16, optional: true },
        ),
        reason: texts('Reasons of the container or the Pod, such as `OOMKilled` or `Evicted`.', 'Reason.', 63),
        message: texts('Texts that the message of the failure contains.', 'Part of a message.', 256),
        podConditions: texts(
          'Types of Pod conditions with the status True, such as `DisruptionTarget`.',
          'Type of a condition.',
          63,
        ),
      },
      { rules: [WHEN_SAYS] },
    ),
    do: enumeration('Whether another attempt follows. `Fail` ends the job, whatever the budgets have left.', [
      'Retry',
      'Fail',
    ]),
    budget: string('Budget that the failure counts against. Defaults to the budget that it has without a rule.', {
      minLength: 1,
      maxLength: 40,
      pattern: BUDGET_NAME,
      optional: true,
    }),
    with: object(
      'More memory for the next attempts, for the role whose container failed.',
      {
        memoryFactor: number('Number by which the memory of the failed attempt is multiplied.', {
          minimum: 1,
          maximum: 16,
        }),
        max: quantity('Memory that is never exceeded, such as `4Gi`. Defaults to no limit.', {
          message: 'must be an amount of memory, such as 512Mi or 4Gi',
          optional: true,
        }),
      },
      { optional: true },
    ),
  },
  { rules: [FAIL_ALONE] },
);

/** `spec.retry`. */
export const retry = object(
  'Retries after failed attempts.',
  {
    budgets: map(
      'Number of retries by the name of a budget. A failure counts against `submission` if the work had not begun, against `preemption` if the Pod was evicted or its node was lost, and against `run` otherwise. A rule can name another budget. Defaults to 3 for `submission`, 3 for `run` and 10 for `preemption`.',
      integer('Number of retries.', { minimum: 0, maximum: 1_000 }),
      {
        maxProperties: 16,
        default: {},
        rules: [
          {
            rule: `self.all(name, name.size() <= 40 && name.matches('${BUDGET_NAME}'))`,
            message:
              'must have names of up to 40 lower-case letters, digits and -, starting with a letter; rename the budget',
            holds: (budgets: Readonly<Record<string, number>>) =>
              Object.keys(budgets).every((name) => name.length <= 40 && new RegExp(BUDGET_NAME).test(name)),
          },
        ],
      },
    ),
    rules: list('Rules in their order: the first one that matches a failure decides.', rule, {
      maxItems: 32,
      default: [],
    }),
    backoff: object(
      'Wait before a retry. It grows with each failure in a row.',
      {
        initial: duration('Wait after the first failure. Defaults to 10s.', {
          minimum: '0s',
          maximum: '1d',
          default: '10s',
        }),
        factor: number('Number by which the wait is multiplied with each further failure. Defaults to 2.', {
          minimum: 1,
          maximum: 100,
          default: 2,
        }),
        max: duration('Longest wait. Defaults to 10m.', { minimum: '0s', maximum: '30d', default: '10m' }),
        jitter: number('Part of the wait, from 0 to 1, by which it varies between jobs. Defaults to 0.2.', {
          minimum: 0,
          maximum: 1,
          default: 0.2,
        }),
        resetAfter: duration(
          'Time that an attempt must have run to give all budgets back, and to start the wait anew. Defaults to 1h.',
          { minimum: '1s', maximum: '3650d', default: '1h' },
        ),
      },
      { default: {}, rules: [BACKOFF_FITS] },
    ),
  },
  { default: {}, rules: [KNOWN_BUDGET, USED_BUDGET] },
);
