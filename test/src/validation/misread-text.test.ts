import { App, Chart, Yaml } from 'cdk8s';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseYaml } from '../../../operator/yaml/parse-yaml.js';
import { KubeObject } from '../../../src/index.js';
import { misreadTexts } from '../../../src/validation/misread-text.js';
import { texts } from '../../operator/yaml/given-texts.js';

/** Whether kubectl reads another value in what cdk8s writes. */
function isMisread(value: object): boolean {
  try {
    return JSON.stringify(parseYaml(Yaml.stringify(value))) !== JSON.stringify(value);
  } catch {
    return true;
  }
}

/** What the reader of these tests takes, and kubectl does not: other line breaks and unescaped characters. */
const isEscaped = (text: string) => !/[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/.test(text);

describe('a text that kubectl misreads in the YAML of cdk8s is refused, and no other', () => {
  test.each(texts.filter(isEscaped))('%j', (text) => {
    expect(misreadTexts({ a: text }).length > 0).toBe(isMisread({ a: text }));
    expect(misreadTexts({ [text]: 'a' }).length > 0).toBe(isMisread({ [text]: 'a' }));
  });

  test('any number', () => {
    const numbers = fc.string({ unit: fc.constantFrom(...'0127abefoxXOB_+-.'), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(numbers, (text) => misreadTexts({ a: text }).length > 0 === isMisread({ a: text })),
      { numRuns: 5000, seed: 7 },
    );
  });

  test.each(['a\u2028b', 'a\x85b', '\x7f', 'a\ufffe'])('%j, which is not escaped', (text) => {
    expect(misreadTexts({ a: text })).toEqual([expect.stringContaining('must not contain control characters')]);
  });
});

test('cdk8s synth names the object and the field', () => {
  const app = new App();
  const chart = new Chart(app, 'chart');
  new KubeObject(chart, 'files', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
    ...{ data: { umask: '0o17' } },
  });
  expect(() => app.synthYaml()).toThrow(
    'chart/files: data.umask: Invalid value: "0o17": must not be a text that kubectl reads as a number',
  );
  expect(chart.node.findAll().flatMap((construct) => construct.node.validate())).toEqual([]);
});
