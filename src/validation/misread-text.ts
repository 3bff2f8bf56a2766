import type { ApiObject } from 'cdk8s';

/** Numbers as go-yaml reads them, without their underscores. */
const goNumber =
  /^(?:[-+]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)|0b[-+][01]+)$/;

/** Numbers as YAML 1.1 has them. cdk8s quotes such texts. */
const yamlNumber =
  /^[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*|(?:[0-9][0-9_]*)?(?:\.[0-9_]*)?[eE][-+]?[0-9]+|(?:[0-9][0-9_]*)?\.[0-9_]*)$/;

function isUnquotedNumber(text: string): boolean {
  if (yamlNumber.test(text)) return false;
  // After a point at the start, go-yaml allows underscores only between digits.
  if (text.startsWith('.') && !/^\.(?:[0-9eE.+-]|(?<=[0-9])_(?=[0-9]))+$/.test(text)) return false;
  return !text.startsWith('_') && goNumber.test(text.replaceAll('_', ''));
}

/** Characters that kubectl rejects or takes as line breaks, and that cdk8s does not escape. */
const unescaped = /[\x7f-\x9f\u2028\u2029\ufffe\uffff]/;

/**
 * Lets `cdk8s synth` fail if its YAML would hold texts of an object that kubectl reads as other values. The validation is
 * one of the app: the operator writes no YAML, accepts any text and validates only what is below its chart.
 */
export function refuseMisreadTexts(object: ApiObject): void {
  object.node.root.node.addValidation({
    validate: () => misreadTexts(object.toJson()).map((problem) => `${object.node.path}: ${problem}`),
  });
}

/** The texts of an object that kubectl would not read as such in the YAML of cdk8s, as error messages. */
export function misreadTexts(value: unknown, path = ''): readonly string[] {
  if (typeof value === 'string') return valueProblems(value, `${path}: Invalid value: ${JSON.stringify(value)}`);
  if (Array.isArray(value)) return value.flatMap((item, index) => misreadTexts(item, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const at = path === '' ? key : `${path}.${key}`;
    const merges = key === '<<' ? [`${at}: Invalid key: must not be <<, which kubectl reads as a merge`] : [];
    return [...merges, ...problemOf(key, `${at}: Invalid key`), ...misreadTexts(member, at)];
  });
}

/** cdk8s quotes a key of several lines, and no value. */
function valueProblems(text: string, invalid: string): readonly string[] {
  const indented = `${invalid}: must not start with a line of blanks, which kubectl reads as indentation; remove the line`;
  return /^[ \t]+\n/.test(text) ? [indented] : problemOf(text, invalid);
}

function problemOf(text: string, invalid: string): readonly string[] {
  if (unescaped.test(text)) {
    return [
      `${invalid}: must not contain control characters or line separators, which cdk8s does not escape; remove them`,
    ];
  }
  if (!isUnquotedNumber(text)) return [];
  const advice = 'use a notation that cdk8s quotes, such as 017 for 0o17 and 0x1f for 0X1F';
  return [
    `${invalid}: must not be a text that kubectl reads as a number, because cdk8s writes it without quotes; ${advice}`,
  ];
}
