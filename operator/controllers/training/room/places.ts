import type { TrainingJobSpec } from '../../../../imports/index.js';
import type { Amounts, NodeRoom } from '../ports/capacity.js';

/** What each Pod of a job needs of a node. */
export interface Demand {
  readonly requests: Amounts;
  readonly podTemplate?: TrainingJobSpec['podTemplate'];
  /** Machines that must not run it. */
  readonly avoid: readonly string[];
  /** Node label of which all nodes of the Pods must have one value. @default - they may differ */
  readonly topologyKey?: string | undefined;
}

/** How many such Pods the nodes can run beside those that they have, up to a number. */
export function placesFor({ topologyKey: key, ...demand }: Demand, nodes: readonly NodeRoom[], most: number): number {
  if (key === undefined) return placesOnAll(demand, nodes, most);
  const ofDomains = [...nodesByLabel(key, nodes).values()].map((some) => placesOnAll(demand, some, most));
  return Math.max(0, ...ofDomains);
}

/** Nodes that have the label, by its value. */
export function nodesByLabel(key: string, nodes: readonly NodeRoom[]): ReadonlyMap<string, readonly NodeRoom[]> {
  const values = new Set(nodes.flatMap(({ labels }) => labels[key] ?? []));
  return new Map([...values].map((value) => [value, nodes.filter(({ labels }) => labels[key] === value)]));
}

function placesOnAll(demand: Demand, nodes: readonly NodeRoom[], most: number): number {
  const places = nodes.filter((node) => suits(demand, node)).map((node) => placesOn(demand.requests, node));
  return Math.min(
    most,
    places.reduce((sum, one) => sum + one, 0),
  );
}

function placesOn(requests: Amounts, { free }: NodeRoom): number {
  const all = Object.entries({ ...requests, pods: 1 }).filter(([, amount]) => amount > 0);
  // A billionth is below the precision of every quantity, and above that of a sum of fractions.
  const places = all.map(([name, amount]) => Math.floor((free[name] ?? 0) / amount + 1e-9));
  return Math.max(0, Math.min(...places));
}

function suits({ podTemplate = {}, avoid }: Demand, node: NodeRoom): boolean {
  const selected = Object.entries(podTemplate.nodeSelector ?? {}).every(([key, value]) => node.labels[key] === value);
  return selected && !avoid.includes(node.name) && tolerates(podTemplate, node) && matchesAffinity(podTemplate, node);
}

type Template = NonNullable<TrainingJobSpec['podTemplate']>;

function tolerates({ tolerations = [] }: Template, { taints }: NodeRoom): boolean {
  return taints
    .filter(({ effect }) => effect !== 'PreferNoSchedule')
    .every((taint) =>
      tolerations.some(
        ({ key, operator = 'Equal', value = '', effect }) =>
          (effect === undefined || effect === taint.effect) &&
          (key === undefined || key === taint.key) &&
          (operator === 'Exists' || value === taint.value),
      ),
    );
}

/** One of the terms must match, with all of its expressions. */
function matchesAffinity({ affinity }: Template, node: NodeRoom): boolean {
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (!terms) return true;
  return terms.some(
    ({ matchExpressions = [], matchFields = [] }) =>
      matchExpressions.every((one) => matches(one, node.labels[one.key])) &&
      matchFields.every((one) => matches(one, node.name)),
  );
}

interface Expression {
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}

function matches({ operator, values = [] }: Expression, label: string | undefined): boolean {
  if (operator === 'Exists') return label !== undefined;
  if (operator === 'DoesNotExist') return label === undefined;
  if (operator === 'In') return label !== undefined && values.includes(label);
  if (operator === 'NotIn') return label === undefined || !values.includes(label);
  const [bound] = values.map(Number);
  if (label === undefined || bound === undefined) return false;
  return operator === 'Gt' ? Number(label) > bound : Number(label) < bound;
}
