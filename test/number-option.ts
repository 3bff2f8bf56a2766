import { InvalidArgumentError } from 'commander';

/**
 * Reads the value of an option that is a number.
 * @throws {InvalidArgumentError} when it is none, or less than `least`
 */
export function numberFrom(least: number): (text: string) => number {
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (value >= least && value < Number.POSITIVE_INFINITY) return value;
    throw new InvalidArgumentError(`It must be a number from ${least} on.`);
  };
}
