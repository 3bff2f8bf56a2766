import { App, Chart } from 'cdk8s';
import { sparkJobSpec, withDefaults } from '../../../crds/index.js';
import type { SparkJobSpecInput } from '../../../imports/index.js';
import {
  SparkAttemptObjects,
  type SparkAttemptObjectsProps,
  SparkSecret,
  SparkSharedObjects,
  type SparkSharedObjectsProps,
} from '../../../src/index.js';
import { leastSpark } from '../../crds/refused-spark.js';

/** An object as it is rendered. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads any field of any kind
export type Rendered = any;

const uid = '6f1c2a00-0000-4000-8000-00000000abcd';

/** A spec with its defaults. */
export const specOf = (input: object = {}) =>
  withDefaults(sparkJobSpec, { ...leastSpark, ...input } as SparkJobSpecInput);

/** The objects of the second attempt of the first run of the SparkJob `clean`. */
export function attemptOf(input: object = {}, more: Partial<SparkAttemptObjectsProps> = {}) {
  const chart = new Chart(new App(), 'chart', { namespace: 'data' });
  const spec = { ...leastSpark, ...input } as SparkJobSpecInput;
  new SparkAttemptObjects(chart, 'attempt', { name: 'clean', uid, spec, ref: { run: 1, attempt: 2 }, ...more });
  const [config, driver]: readonly Rendered[] = chart.toJson();
  return { config, driver, executor: JSON.parse(config.data['executor.yaml']), properties: propertiesIn(config) };
}

/** The properties as `java.util.Properties` reads them. */
function propertiesIn({ data }: Rendered): Readonly<Record<string, string>> {
  const lines = (data['spark.properties'] as string).split('\n').filter((line) => line !== '');
  const unescaped = (text: string) => text.replace(/^[ \t\f]+/, '').replace(/\\(.)/g, '$1');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), unescaped(line.slice(line.indexOf('=') + 1))]),
  );
}

/** The objects that all attempts share. */
export function sharedObjects(more: Partial<SparkSharedObjectsProps> = {}): readonly Rendered[] {
  const chart = new Chart(new App(), 'chart', { namespace: 'data' });
  new SparkSharedObjects(chart, 'shared', { name: 'clean', isDynamic: false, ...more });
  return chart.toJson();
}

/** The Secret of a job. */
export function secretOf(secret: string): Rendered {
  const chart = new Chart(new App(), 'chart', { namespace: 'data' });
  new SparkSecret(chart, 'secret', { name: 'clean', secret });
  return chart.toJson()[0];
}
