const shape = /^\+?(\d*)(?:\.(\d*))?(?:([KMGTPE]i)|([numkMGTPE]?)|[eE]([+-]?\d+))$/;
const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** Quantities are counted in billionths: nothing smaller is kept. */
const one = 10n ** 9n;
/** Nor is anything larger than a signed integer of 64 bits: no node has more. */
const largest = (2n ** 63n - 1n) * one;

/**
 * A quantity in the form that the API server stores as it is, so that what is rendered compares equal to what is
 * answered: `1000m` is `1`, `0.5` is `500m`, `1024Mi` is `1Gi`.
 *
 * @param quantity `100m`, `256Mi`, `1.5`, `2e3`, or a plain number; not negative
 * @throws {Error} when it is no such quantity
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export function canonicalQuantity(quantity: string | number): string {
  const { amount, binary, exponential } = read(quantity);
  // A binary suffix would have to round what is smaller or not whole.
  if (binary && amount >= 1024n * one && amount % one === 0n) return binaryText(amount / one);
  return decimalText(amount, exponential);
}

/**
 * How much a quantity is, rounded up: `1Ki` is 1024.
 *
 * @throws {Error} when it is no quantity, see {@link canonicalQuantity}
 */
export function wholeQuantity(quantity: string | number): bigint {
  return (read(quantity).amount + one - 1n) / one;
}

/** A quantity in billionths, and how it was written. */
function read(quantity: string | number): { amount: bigint; binary: boolean; exponential: boolean } {
  const [whole, digits = '', fraction = '', binary = '', decimal = '', exponent] = shape.exec(String(quantity)) ?? [];
  if (whole === undefined || `${digits}${fraction}` === '') {
    throw new Error(
      `a quantity is a number of 0 or more with a suffix, as 500m, 2 or 1.5Gi, got ${JSON.stringify(quantity)}`,
    );
  }
  const factor = 1024n ** BigInt(binarySuffixes.indexOf(binary));
  const power = exponent === undefined ? decimalSuffixes.indexOf(decimal) * 3 - 9 : Number(exponent);
  const amount = billionths(BigInt(`${digits}${fraction}`) * factor, power - fraction.length);
  return { amount, binary: binary !== '', exponential: exponent !== undefined };
}

/** `value * 10^power` in billionths, rounded up where a digit is lost. */
function billionths(value: bigint, power: number): bigint {
  // Beyond these powers the answer is known, and computing it could take for ever.
  if (value === 0n) return 0n;
  if (power > 19) return largest;
  if (power < -9 - String(value).length) return 1n;
  const divisor = 10n ** BigInt(Math.max(0, -power - 9));
  const amount = (value * 10n ** BigInt(Math.max(0, power + 9)) + divisor - 1n) / divisor;
  return amount < largest ? amount : largest;
}

function binaryText(amount: bigint): string {
  const [rest, steps] = divided(amount, 1024n, binarySuffixes.length - 1);
  return `${rest}${binarySuffixes[steps]}`;
}

function decimalText(amount: bigint, exponential: boolean): string {
  if (amount === 0n) return '0';
  const [rest, steps] = divided(amount, 1000n, decimalSuffixes.length - 1);
  if (!exponential) return `${rest}${decimalSuffixes[steps]}`;
  return steps === 3 ? `${rest}` : `${rest}e${steps * 3 - 9}`;
}

/** The amount divided as often as nothing is left over, and how often that was. */
function divided(amount: bigint, by: bigint, atMost: number): readonly [rest: bigint, times: number] {
  let [rest, times] = [amount, 0];
  while (times < atMost && rest % by === 0n) [rest, times] = [rest / by, times + 1];
  return [rest, times];
}
