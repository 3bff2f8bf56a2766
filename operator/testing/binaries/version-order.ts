/** Orders names that begin with a version, such as `v1.36.3-linux-amd64`: the newest first. */
export function newestFirst(a: string, b: string): number {
  return b.localeCompare(a, 'en', { numeric: true });
}
