/**
 * True if the value can be written back exactly as it was read. A whole number beyond 2^53 may have lost digits,
 * because the API server keeps 64 bits. Writing it back would change it.
 */
export function hasSafeIntegers(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return typeof value !== 'object' || value === null || Object.values(value).every(hasSafeIntegers);
}

/** A key as it appears in a JSON pointer. @see https://www.rfc-editor.org/rfc/rfc6901#section-3 */
export function pointerToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of an object without those that are undefined, which JSON cannot represent. */
export function defined<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;
}
