import { keyedList } from './collections.js';
import { type Definition, defined, type Json, type JsonSchema } from './json.js';
import { type Fields, type ObjectSchema, object } from './object.js';
import { enumeration, integer, string } from './scalars.js';
import { named, type Presence } from './schema.js';

/** The fields of a status with those that the runtime writes for every kind. */
export type StatusFields<F extends Fields> = Omit<ReturnType<typeof runtimeFields>, keyof F> & F;

/** The schema of a status with the fields that the runtime writes for every kind. */
export type StatusSchema<S> =
  S extends ObjectSchema<infer F, infer P>
    ? ObjectSchema<StatusFields<F>, P extends 'optional' ? 'optional' : Exclude<Presence, 'optional'>>
    : S;

function runtimeFields() {
  return { observedGeneration: observedGeneration(), conditions: conditions() };
}

/**
 * Adds the fields that the runtime writes to a status, where the schema does not declare them: `observedGeneration` with the
 * default -1, and `conditions`. A status that is `optional` gets no default.
 */
export function withRuntimeFields(status: ObjectSchema): ObjectSchema {
  const { observedGeneration: generation, conditions: reported } = runtimeFields();
  const declares = (field: string) => Object.hasOwn(status.fields, field);
  const first: Fields = declares('observedGeneration') ? {} : { observedGeneration: generation };
  const last: Fields = declares('conditions') ? {} : { conditions: reported };
  const { 'x-kubernetes-validations': rules, properties, default: own, ...json } = status.json;
  const isComplete = declares('observedGeneration') || status.presence === 'optional';
  const byDefault = isComplete ? own : initialStatus(status.json);
  return {
    ...status,
    fields: { ...first, ...status.fields, ...last },
    presence: byDefault === undefined ? status.presence : 'defaulted',
    json: defined({
      ...json,
      properties: { ...jsonOf(first), ...properties, ...jsonOf(last) },
      default: byDefault,
      'x-kubernetes-validations': rules,
    }) as JsonSchema,
  };
}

function jsonOf(fields: Fields): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(Object.entries(fields).map(([name, { json }]) => [name, json]));
}

/**
 * The status before the operator writes it. Generic tools treat a resource without a status as done, and wait with generation
 * -1. A status with required fields has no default, which would lack them.
 */
function initialStatus({ default: own, required }: JsonSchema): Json | undefined {
  if (own === undefined && required !== undefined) return undefined;
  return { observedGeneration: -1, ...(own as Readonly<Record<string, Json>> | undefined) };
}

/** The generation that a status describes. */
function observedGeneration() {
  return integer('Value of `metadata.generation` that the status describes. -1 until the operator writes the status.', {
    format: 'int64',
    minimum: -1,
    optional: true,
  });
}

/**
 * The conditions of a status. Their type identifies them, so several controllers can each apply their own.
 * @see https://github.com/kubernetes/community/blob/master/contributors/devel/sig-architecture/api-conventions.md#typical-status-properties
 */
export function conditions() {
  return keyedList(
    'Conditions of the resource, one for each aspect.',
    ['type'],
    named(conditionDefinition, condition()),
    {
      maxItems: 32,
      optional: true,
    },
  );
}

function condition() {
  return object('Condition of one aspect of the resource, as last observed.', {
    type: string('Type of the condition, such as `Ready` or `Available`.', {
      minLength: 1,
      maxLength: 316,
      pattern: '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$',
    }),
    status: enumeration('Status of the condition.', ['True', 'False', 'Unknown']),
    reason: string('Reason for the status, as one CamelCase word.', {
      minLength: 1,
      maxLength: 1024,
      pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
    }),
    message: string('Details of the status, as a sentence for display.', { maxLength: 32_768 }),
    lastTransitionTime: string('Time of the last change of `status`.', { format: 'date-time' }),
    observedGeneration: integer('Value of `metadata.generation` that the condition describes.', {
      format: 'int64',
      minimum: 0,
      optional: true,
    }),
  });
}

const conditionDefinition: Definition = { name: 'Condition', json: condition().json };
