import { imageRegistryRule, isImageRegistry, isSecretName } from '../../src/workload/image.js';
import { resourceListIn } from './resource-list.js';

/** Reads the text of an option. @throws {Error} with what was expected */
export type Read<T> = (text: string) => T;

/** A lowercase DNS label. */
export const dnsLabel = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** The text itself, if it matches. @param expected what it must be */
export function matching(text: string, pattern: RegExp, expected: string): string {
  if (!pattern.test(text)) throw new Error(expected);
  return text;
}

/** One of some texts, and what it means. */
export function oneOf<T>(values: Readonly<Record<string, T>>): Read<T> {
  return (text) => {
    const value = Object.hasOwn(values, text) ? values[text] : undefined;
    if (value === undefined) throw new Error(Object.keys(values).join(' or '));
    return value;
  };
}

/** An integer in a range. */
export function integer(least: number, most: number): Read<number> {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) throw new Error(`an integer from ${least} to ${most}`);
    return value;
  };
}

/** Amounts of cpu and memory, such as `cpu=200m,memory=512Mi`. */
export function amounts(text: string): string {
  resourceListIn(text);
  return text;
}

/** The repository of an image, without a tag. */
export function imageRepository(text: string): string {
  if (!isImageRegistry(text)) throw new Error('an image without a tag');
  return text;
}

/** A registry, with an optional path. */
export function imageRegistry(text: string): string {
  if (!isImageRegistry(text)) throw new Error(imageRegistryRule);
  return text;
}

/** Names of Secrets, separated by commas. */
export function secretNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (!names.every(isSecretName)) throw new Error('names of Secrets separated by commas, such as registry,mirror');
  return names;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a positive duration with a unit. */
export function duration(text: string): number {
  const [, number, unit] = /^(\d+)(ms|s|m|h)$/.exec(text) ?? [];
  const ms = Number(number) * (units[unit ?? ''] ?? Number.NaN);
  if (!(ms > 0)) throw new Error('a positive duration such as 500ms, 30s or 5m');
  return ms;
}

/** The text of a duration, in the largest unit that it is a multiple of. */
export function durationText(ms: number): string {
  const [unit = 'ms', factor = 1] = Object.entries(units).findLast(([, factor]) => ms % factor === 0) ?? [];
  return `${ms / factor}${unit}`;
}
