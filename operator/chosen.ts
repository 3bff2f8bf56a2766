import type { Controller } from './runtime/controller.js';

/**
 * The controllers of these names, in the order of the controllers; all of them where none is named.
 * @throws {Error} that lists the names which none of them has
 */
export function chosen(controllers: readonly Controller[], names: readonly string[]): readonly Controller[] {
  const there = controllers.map(({ name }) => name);
  const unknown = names.filter((name) => !there.includes(name));
  if (unknown.length > 0) {
    throw new Error(`--controllers must be of those that are here, ${there.join(', ')}, got ${unknown.join(', ')}`);
  }
  return names.length === 0 ? controllers : controllers.filter(({ name }) => names.includes(name));
}
