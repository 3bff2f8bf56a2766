const shape = /^\+?(\d*)(?:\.(\d*))?(?:([KMGTPE]i)|([numkMGTPE]?)|[eE]([+-]?\d+))$/;
const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** Quantities are counted in billionths. Smaller fractions are rounded up. */
const one = 10n ** 9n;
/** The maximum, a signed integer of 64 bits. No node has more. */
const largest = (2n ** 63n - 1n) * one;

/**
 * A quantity in the canonical form that the API server stores, so that a rendered object compares equal to the stored
 * one. For example, `1000m` becomes `1`, `0.5` becomes `500m`, and `1024Mi` becomes `1Gi`.
 *
 * @param quantity a quantity of 0 or more, such as `100m`, `256Mi`, `1.5`, `2e3`, or a plain number
 * @throws {Error} if it is not such a quantity
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export function canonicalQuantity(quantity: string | number): string {
  const { amount, binary, exponential } = read(quantity);
  // A binary suffix would round amounts that are smaller or not whole.
  if (binary && amount >= 1024n * one && amount % one === 0n) return binaryText(amount / one);
  return decimalText(amount, exponential);
}

/**
 * The amount of a quantity, rounded up. For example, `1Ki` is 1024.
 *
 * @throws {Error} if it is not a quantity, see {@link canonicalQuantity}
 */
export function wholeQuantity(quantity: string | number): bigint {
  return (read(quantity).amount + one - 1n) / one;
}

/** The amount of a quantity, as precise as a number can be. For example, `500m` is 0.5. @throws {Error} see {@link canonicalQuantity} */
export function numericQuantity(quantity: string | number): number {
  return Number(read(quantity).amount) / Number(one);
}

/** Below 0 if the first quantity is smaller, above 0 if it is larger. @throws {Error} see {@link canonicalQuantity} */
export function compareQuantities(a: string | number, b: string | number): number {
  const difference = read(a).amount - read(b).amount;
  return difference < 0n ? -1 : Number(difference > 0n);
}

/** A quantity in billionths, and its notation. */
function read(quantity: string | number): { amount: bigint; binary: boolean; exponential: boolean } {
  const [whole, digits = '', fraction = '', binary = '', decimal = '', exponent] = shape.exec(String(quantity)) ?? [];
  if (whole === undefined || `${digits}${fraction}` === '') {
    throw new Error(
      `a quantity must be a number of 0 or more with an optional suffix, such as 500m, 2 or 1.5Gi, got ${JSON.stringify(quantity)}`,
    );
  }
  const factor = 1024n ** BigInt(binarySuffixes.indexOf(binary));
  const power = exponent === undefined ? decimalSuffixes.indexOf(decimal) * 3 - 9 : Number(exponent);
  const amount = billionths(BigInt(`${digits}${fraction}`) * factor, power - fraction.length);
  return { amount, binary: binary !== '', exponential: exponent !== undefined };
}

/** `value * 10^power` in billionths, rounded up if a digit is lost. */
function billionths(value: bigint, power: number): bigint {
  // Beyond these powers the result is known, and its computation could take very long.
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

/** Divides the amount as long as there is no remainder. Returns the quotient and the number of divisions. */
function divided(amount: bigint, by: bigint, atMost: number): readonly [rest: bigint, times: number] {
  let [rest, times] = [amount, 0];
  while (times < atMost && rest % by === 0n) [rest, times] = [rest / by, times + 1];
  return [rest, times];
}
