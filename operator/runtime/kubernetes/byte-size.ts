const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Bytes in the largest unit that gives at least 1, such as `1.5 GiB`. @param bytes at least 0 */
export function byteSize(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`;
}
