import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { isInOperator } from './operator-scope.js';

/** The objects of this package in each chart. */
const registered = new WeakMap<Chart, ApiObject[]>();

/**
 * Makes `cdk8s synth` refuse another object of the same kind, namespace and name in the chart. `kubectl apply` would
 * overwrite one of them with the other. Two charts can have the same objects, because they can be for two clusters.
 */
export function requireUnique(object: ApiObject): void {
  const chart = Chart.of(object);
  const objects = registered.get(chart);
  if (objects) objects.push(object);
  else if (!isInOperator(chart)) {
    const first = [object];
    registered.set(chart, first);
    chart.node.addValidation({ validate: () => [...duplicateProblems(chart, first)] });
  }
}

/** One problem for each two constructs that define the same objects. */
function duplicateProblems(chart: Chart, ours: readonly ApiObject[]): readonly string[] {
  const kept = new Set(ours.map(identityOf));
  const owners = new Map<string, IConstruct>();
  const shared = new Map<string, string[]>();
  const objects = chart.node.findAll().filter(ApiObject.isApiObject);
  for (const object of objects.filter((one) => Chart.of(one) === chart)) {
    const identity = identityOf(object);
    const first = owners.get(identity);
    owners.set(identity, first ?? object);
    if (!first || !kept.has(identity)) continue;
    const pair = pathsOf(first, object).join(' and ');
    shared.set(pair, [...(shared.get(pair) ?? []), titleOf(object)]);
  }
  return [...shared].map(
    ([pair, titles]) =>
      `${pair} must not both define ${titles.join(', ')}; set another name or namespace for one of them`,
  );
}

/** The paths of the constructs around two objects, or of the objects if one construct has both. */
function pathsOf(...objects: readonly [IConstruct, IConstruct]): readonly string[] {
  const owners = objects.map((object) => {
    const { scope } = object.node;
    return scope === undefined || Chart.isChart(scope) ? object : scope;
  });
  return (owners[0] === owners[1] ? objects : owners).map(({ node }) => node.path);
}

function identityOf({ apiGroup, kind, metadata }: ApiObject): string {
  return JSON.stringify([apiGroup, kind, metadata.namespace, metadata.name]);
}

function titleOf({ kind, metadata }: ApiObject): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
}
