/**
 * True of a value that may be written back as it was read. A whole number beyond 2^53 may have lost digits on its way here,
 * where the API server keeps 64 bits: whoever writes it back writes another one.
 */
export function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
}
