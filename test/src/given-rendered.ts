import { App, Chart } from 'cdk8s';
import { Algorithm, type AlgorithmProps, type Manifest } from '../../src/index.js';

/** An object as it is rendered or stored: the tests look at paths into objects of all kinds. */
export type Rendered = Manifest & { readonly metadata: { readonly generation?: number } } & Fields;

// biome-ignore lint/suspicious/noExplicitAny: a path into an object of any kind has no better type
type Fields = Readonly<Record<string, any>>;

/** What an Algorithm becomes, in the order in which it is written. */
export function renderedAlgorithm(name: string, props: Partial<AlgorithmProps> = {}): Rendered[] {
  const chart = new Chart(new App(), 'chart', { namespace: 'team' });
  new Algorithm(chart, name, { image: 'server:1', ...props });
  return chart.toJson();
}

/** The only object of a kind. @throws {Error} when there is none, or another */
export function only(objects: readonly Rendered[], kind: string): Rendered {
  const [object, ...others] = objects.filter((one) => one.kind === kind);
  if (!object || others.length > 0) throw new Error(`expected one ${kind}, got ${others.length + (object ? 1 : 0)}`);
  return object;
}
