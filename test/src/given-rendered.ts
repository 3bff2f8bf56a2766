import { App, Chart } from 'cdk8s';
import { algorithm } from '../../operator/controllers/algorithm/index.js';
import type { CustomResource } from '../../operator/runtime/controller/custom-resource.js';
import { ResourceScope } from '../../operator/runtime/rendering/resource-scope.js';
import { Algorithm, type AlgorithmProps, type Manifest } from '../../src/index.js';

/** An object as it is rendered or stored: the tests look at paths into objects of all kinds. */
export type Rendered = Manifest & { readonly metadata: { readonly generation?: number } } & Fields;

// biome-ignore lint/suspicious/noExplicitAny: a path into an object of any kind has no better type
type Fields = Readonly<Record<string, any>>;

/** What an Algorithm becomes, in the order in which it is written. */
export function renderedAlgorithm(name: string, props: Partial<AlgorithmProps> = {}): Rendered[] {
  return renderedIn(new Chart(new App(), 'chart', { namespace: 'team' }), name, props);
}

/** What an Algorithm becomes in the operator, which accepts every name of a resource. */
export function renderedInOperator(name: string, props: Partial<AlgorithmProps> = {}): Rendered[] {
  return renderedIn(operatorScope(name), name, props);
}

/** The chart in which the operator renders an Algorithm. */
export function operatorScope(name: string): Chart {
  return new ResourceScope(algorithm, { metadata: { name, namespace: 'team' } } as CustomResource);
}

function renderedIn(chart: Chart, name: string, props: Partial<AlgorithmProps>): Rendered[] {
  new Algorithm(chart, name, { image: 'server:1', ...props });
  return chart.toJson();
}

/** The only object of a kind. @throws {Error} when there is none, or another */
export function only(objects: readonly Rendered[], kind: string): Rendered {
  const [object, ...others] = objects.filter((one) => one.kind === kind);
  if (!object || others.length > 0) throw new Error(`expected one ${kind}, got ${others.length + (object ? 1 : 0)}`);
  return object;
}
