/** The words that are no strings in YAML 1.1. */
const words: ReadonlyMap<string, boolean | number | null> = new Map<string, boolean | number | null>([
  ...inCases(['y', 'yes', 'true', 'on'], true),
  ...inCases(['n', 'no', 'false', 'off'], false),
  ...inCases(['null'], null),
  ['', null],
  ['~', null],
  ...['.nan', '.NaN', '.NAN'].map((text) => [text, Number.NaN] as const),
  ...['.inf', '+.inf'].flatMap((text) => inCases([text], Number.POSITIVE_INFINITY)),
  ...inCases(['-.inf'], Number.NEGATIVE_INFINITY),
]);

/** A word in lower case, with a capital, and in capitals. */
function inCases<T>(texts: readonly string[], value: T): (readonly [string, T])[] {
  return texts.flatMap((text) =>
    [text, text.replace(/[a-z]/, (letter) => letter.toUpperCase()), text.toUpperCase()].map(
      (cased) => [cased, value] as const,
    ),
  );
}

/**
 * The value of an unquoted YAML scalar for kubectl: null, a boolean, a number or the text itself. Dates, and numbers
 * with colons, are text.
 * @see https://github.com/yaml/go-yaml/blob/v2.4.2/resolve.go
 */
export function plainScalar(text: string): boolean | number | string | null {
  const word = words.get(text);
  if (word !== undefined) return word;
  const integer = integerIn(text);
  return integer === undefined ? (floatIn(text) ?? text) : Number(integer);
}

/** The name of a field whose key is an unquoted scalar, or undefined if kubectl rejects the key. */
export function plainKey(text: string): string | undefined {
  const value = plainScalar(text);
  if (value === null) return undefined;
  if (typeof value !== 'number') return String(value);
  return integerIn(text)?.toString() ?? floatKey(value, text);
}

const integerForms: readonly (readonly [RegExp, prefix: string])[] = [
  [/^([-+]?)0[xX]([0-9a-fA-F]+)$/, '0x'],
  [/^([-+]?)0[bB]([01]+)$/, '0b'],
  [/^([-+]?)0[oO]?([0-7]+)$/, '0o'],
  [/^([-+]?)([1-9][0-9]*|0)$/, ''],
  [/^0b([-+])([01]+)$/, '0b'],
];

const largest = { signed: 2n ** 63n - 1n, unsigned: 2n ** 64n - 1n };

/** The integer of a text with a sign or a digit at its start, if it fits into 64 bits. */
function integerIn(text: string): bigint | undefined {
  if (!/^[-+0-9]/.test(text)) return undefined;
  const plain = text.replaceAll('_', '');
  for (const [form, prefix] of integerForms) {
    const [, sign, digits] = form.exec(plain) ?? [];
    if (digits === undefined) continue;
    const size = BigInt(prefix + digits);
    if (sign === '-') return size <= largest.signed + 1n ? -size : undefined;
    return size <= (sign === '+' ? largest.signed : largest.unsigned) ? size : undefined;
  }
  return undefined;
}

function floatIn(text: string): number | undefined {
  // After a point at the start, underscores must be between digits.
  if (!/^[-+0-9]|^\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?$/.test(text)) return undefined;
  const plain = text.replaceAll('_', '');
  if (!/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(plain)) return undefined;
  const value = Number(plain);
  return Number.isFinite(value) ? value : undefined;
}

/** The shortest decimal of a 32-bit number, with an exponent from a million on, as Go prints keys. */
function floatKey(value: number, text: string): string {
  if (Number.isNaN(value)) return '.nan';
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return value < 0 ? '-.inf' : '.inf';
  if (single === 0) return text.startsWith('-') ? '-0' : '0';
  const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9].find((count) => Math.fround(+single.toPrecision(count)) === single) ?? 9;
  const [mantissa = '', exponent = ''] = single.toExponential(digits - 1).split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(Number(`${mantissa}e${exponent}`));
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
