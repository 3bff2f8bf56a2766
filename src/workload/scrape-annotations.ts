/** The Pod annotations with which a Prometheus without further configuration finds the metrics. */
export function scrapeAnnotations({
  path,
  port,
}: {
  readonly path: string;
  readonly port: number;
}): Record<string, string> {
  return { 'prometheus.io/scrape': 'true', 'prometheus.io/path': path, 'prometheus.io/port': String(port) };
}
