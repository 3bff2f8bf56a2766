import { describe, expect, test } from 'vitest';
import { parseYaml, parseYamlDocuments, YamlError } from '../../../operator/yaml/parse-yaml.js';
import { stringifyYaml } from '../../../operator/yaml/stringify-yaml.js';
import { texts } from './given-texts.js';

describe('YAML is read as kubectl reads it', () => {
  test.each<[value: unknown, text: string]>([
    [true, 'yes'],
    [false, 'Off'],
    [true, 'y'],
    [null, '~'],
    [null, ''],
    ['tRUE', 'tRUE'],
    ['yes', '"yes"'],
    [1000, '1_000'],
    [15, '017'],
    [15, '0o17'],
    [8, '08'],
    [31, '0X1F'],
    [3, '0b11'],
    [1000, '1e3'],
    [0.5, '.5'],
    [0.5, '.5_0'],
    ['.5__0', '.5__0'],
    ['1e400', '1e400'],
    [1e20, '100000000000000000000'],
    ['0xFFFFFFFFFFFFFFFFF', '0xFFFFFFFFFFFFFFFFF'],
    ['12:30:45', '12:30:45'],
    ['2020-01-01', '2020-01-01'],
    ['=', '='],
    ['1', '!!str 1'],
    [1, '!!int "1"'],
  ])('as %j: %s', (value, text) => {
    expect(parseYaml(`a: ${text}\n`)).toEqual({ a: value });
  });

  test.each<[name: string, key: string]>([
    ['true', 'on'],
    ['15', '017'],
    ['1000', '1e3'],
    ['1e+06', '1e6'],
    ['1.5', '1.50'],
    ['9007199254740993', '9007199254740993'],
    ['on', '"on"'],
    ['2020-01-01', '2020-01-01'],
    ['__proto__', '__proto__'],
  ])('with the field %s for the key %s', (name, key) => {
    expect(Object.keys(parseYaml(`${key}: 1\n`))).toEqual([name]);
  });

  test('with merged maps, which replace the fields above them', () => {
    const text = 'a: &a {k: 1, j: 1}\nb: &b {k: 2, i: 2}\nc: {k: 3, j: 3, <<: [*a, *b], i: 4}\n';
    expect(parseYaml(text).c).toEqual({ k: 1, j: 1, i: 4 });
  });

  test('document by document', () => {
    expect(parseYamlDocuments('a: 1\n---\n---\n{"b": 2}\n')).toEqual([{ a: 1 }, null, { b: 2 }]);
  });

  test.each([
    ['must be a finite number, or in quotes', 2, 'a: 1\nb: .nan\n'],
    ['key must be a string, a number or a boolean', 2, 'a: 1\n~: 1\n'],
    ['key must be a string, a number or a boolean', 2, 'a: 1\n? [b]\n: 1\n'],
    ['Map keys must be unique', 2, 'on: 1\ntrue: 2\n'],
    ['Unresolved alias', 1, 'a: *b\n'],
    ['the value of << must be a map or a list of maps', 1, '<<: 1\n'],
    ['must be one document, has 2', 1, 'a\n---\nb\n'],
  ])('refused: %s, on line %i', (message, line, text) => {
    const reading = () => parseYaml(text);
    expect(reading).toThrow(YamlError);
    expect(reading).toThrow(expect.objectContaining({ line, message: expect.stringContaining(message) }));
  });
});

describe('YAML is written', () => {
  test.each(texts)('with %j as the same value and the same key', (text) => {
    for (const value of [{ a: text }, { [text]: [text] }, [text, { [text]: text }], text]) {
      expect(parseYaml(stringifyYaml(value))).toEqual(value);
    }
  });

  test.each([
    ['a: "0o17"\n', { a: '0o17' }],
    ['"on": "12:30:45"\n', { on: '12:30:45' }],
    ['"=": "<<"\n', { '=': '<<' }],
    ['a: "x\\u2028y"\n', { a: 'x\u2028y' }],
    ['a: 1.2.3\n', { a: '1.2.3' }],
    ['a: 10Gi\n', { a: '10Gi' }],
    ['a: nginx:1.27\n', { a: 'nginx:1.27' }],
  ])('as %j', (text, value) => {
    expect(stringifyYaml(value)).toBe(text);
  });

  test('without anchors', () => {
    const shared = { b: 1 };
    expect(stringifyYaml([shared, shared])).toBe('- b: 1\n- b: 1\n');
  });

  test('with sorted keys on request', () => {
    expect(stringifyYaml({ b: 1, a: 2 }, { sortKeys: true })).toBe('a: 2\nb: 1\n');
  });
});
