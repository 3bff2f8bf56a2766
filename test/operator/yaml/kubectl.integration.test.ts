import { execFile } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findBinaries } from '../../../operator/testing/binaries/find-binaries.js';
import { parseYamlDocuments } from '../../../operator/yaml/parse-yaml.js';
import { stringifyYaml } from '../../../operator/yaml/stringify-yaml.js';
import { texts } from './given-texts.js';

/** Values as the fields of objects, and what kubectl reads in the documents of a text. */
const inObjects = (values: readonly unknown[]) =>
  values.map((value) => ({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, value }));

async function readByKubectl(yaml: string): Promise<readonly unknown[]> {
  const { kubectl = ['kubectl'] } = await findBinaries({ controllerManager: 'none', scheduler: false });
  const [program = '', ...first] = kubectl;
  // Without a cluster: the label is the one change, and only prints the objects.
  const args = [...first, 'label', '--local', '--filename=-', '--output=json', 'read=yes'];
  const printed = await new Promise<string>((resolve, reject) => {
    const child = execFile(program, args, { maxBuffer: 2 ** 28 }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
    child.stdin?.end(yaml);
  });
  const objects = JSON.parse(`[${printed.trim().replace(/^\}\n\{/gm, '},{')}]`) as { readonly value: unknown }[];
  return objects.map(({ value }) => value);
}

const written = (values: readonly unknown[]) =>
  inObjects(values)
    .map((object) => stringifyYaml(object))
    .join('---\n');

/** Texts that look like numbers, words and indicators of YAML, and any other text. */
const text = fc.oneof(
  fc.constantFrom(...texts),
  fc.string({ unit: fc.constantFrom(...'0123456789abefoxXOB_+-.:~=<!&*#?|>%@ \n\t\'"'), maxLength: 7 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.oneof(fc.boolean(), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3 }),
  ),
}));

/** One run of kubectl reads many values, which are the same in each run of the test. */
const sample = <T>(arbitrary: fc.Arbitrary<T>, count: number) => fc.sample(arbitrary, { numRuns: count, seed: 11 });

test('kubectl reads each value that is written', async () => {
  const values = [...texts.flatMap((one) => [one, { [one]: one }]), ...sample(value, 1500)];
  // JSON has no negative zero.
  expect(await readByKubectl(written(values))).toEqual(JSON.parse(JSON.stringify(values)));
});

/** Texts that can stand without quotes as a value and as a key, and that kubectl does not refuse there. */
const isPlain = (one: string) =>
  /^[\w.+:-]+$/.test(one) && !/^[-:]|:$|^\.\.\.$|^[-+]?\.(inf|nan)$|^null$/i.test(one.replace(/^-(?=[\w.])/, ''));

test('a text without quotes is read as kubectl reads it, as a value and as a key', async () => {
  const digits = fc.string({ unit: fc.constantFrom(...'01789abefoxXOB_+-.:'), maxLength: 6 });
  const plain = [...texts, ...sample(digits, 3000)].filter(isPlain);
  expect(plain.length).toBeGreaterThan(1000);
  const yaml = inObjects(plain.map(() => 0)).map(
    (object, index) =>
      `${stringifyYaml(object).replace('value: 0', `value:\n  plain: ${plain[index]}\n  ? ${plain[index]}\n  : 1`)}`,
  );
  const ours = parseYamlDocuments(yaml.join('---\n')) as readonly { readonly value: unknown }[];
  expect(ours.map(({ value }) => value)).toEqual(await readByKubectl(yaml.join('---\n')));
});
