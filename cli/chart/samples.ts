import { App, Chart } from 'cdk8s';
import type { System } from '../../operator/controllers/system.js';
import { OperatorInstall } from '../../src/index.js';
import type { JsonMap } from './logic/tree.js';
import { constantMarks } from './template/marks.js';
import { requiredProps, type Setting, settingsOf } from './values/setting.js';
import type { ChartValue, Props } from './values/value.js';

/** What `OperatorInstall` renders for one system with some settings, or why it refuses them. */
export interface Sample {
  readonly settings: readonly string[];
  readonly system: string;
  /** By kind, namespace and name. */
  readonly objects: ReadonlyMap<string, JsonMap>;
  readonly problems: readonly string[];
}

/** Renders every system without settings, with each setting, and with each pair of settings that concern each other. */
export function samplesOf(values: readonly ChartValue[], systems: readonly Pick<System, 'name' | 'controllers'>[]) {
  const settings = settingsOf(values);
  const required = requiredProps(values);
  return combinationsOf(settings).flatMap((combination) =>
    systems.map((system): Sample => {
      const props = combination.reduce((before, setting) => mergedProps(before, setting.props), required);
      const names = combination.map(({ name }) => name).toSorted();
      return { settings: names, system: system.name, ...rendered(system.controllers, props) };
    }),
  );
}

function combinationsOf(settings: readonly Setting[]): readonly (readonly Setting[])[] {
  const named = (name: string) => {
    const found = settings.find((setting) => setting.name === name);
    if (!found) throw new Error(`together: must name settings, got ${name}`);
    return found;
  };
  const pairs = settings.flatMap((setting) => setting.together.map((name) => [setting, named(name)]));
  return [[], ...settings.map((setting) => [setting]), ...pairs];
}

/** Props with those of more settings. Only groups such as `monitoring` are merged. */
export function mergedProps(some: Props, more: Props): Props {
  const groups = Object.entries(more).map(([key, value]) => {
    const before = some[key as keyof Props];
    return [key, isGroup(before) && isGroup(value) ? { ...before, ...value } : value];
  });
  return { ...some, ...Object.fromEntries(groups) };
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Renders an installation in the namespace of the release, which Helm creates. */
export function rendered(controllers: System['controllers'], props: Props): Pick<Sample, 'objects' | 'problems'> {
  const chart = new Chart(new App(), 'chart');
  const install = new OperatorInstall(chart, 'operator', {
    ...{ controllers, namespace: constantMarks.namespace.text, createNamespace: false },
    ...props,
  });
  const problems = install.node.validate();
  if (problems.length > 0) return { objects: new Map(), problems };
  const names = `--controllers=${controllers.map(({ name }) => name).join(',')}`;
  const text = JSON.stringify(chart.toJson()).replaceAll(names, `--controllers=${constantMarks.controllers.text}`);
  const objects = (JSON.parse(text) as readonly JsonMap[]).map(withChartLabels);
  return { objects: new Map(objects.map((object) => [keyOf(object), object])), problems };
}

interface Metadata extends JsonMap {
  readonly name: string;
  readonly labels: JsonMap;
  readonly annotations: JsonMap;
}

/** What identifies an object. */
export function keyOf({ kind, metadata }: JsonMap): string {
  const { namespace = '', name } = metadata as Metadata;
  return `${kind}/${namespace}/${name}`;
}

/** The labels that Helm recommends. CRDs stay when the release is uninstalled. */
function withChartLabels(object: JsonMap): JsonMap {
  const { labels, annotations, ...metadata } = object['metadata'] as Metadata;
  const version = labels?.['app.kubernetes.io/version'];
  const kept: JsonMap = object['kind'] === 'CustomResourceDefinition' ? { 'helm.sh/resource-policy': 'keep' } : {};
  const annotated: JsonMap = { ...annotations, ...kept };
  const all: JsonMap = {
    ...labels,
    ...(version === undefined ? {} : { 'app.kubernetes.io/version': constantMarks.version.text }),
    'app.kubernetes.io/managed-by': constantMarks.service.text,
    'helm.sh/chart': constantMarks.chart.text,
  };
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(Object.keys(annotated).length > 0 ? { annotations: annotated } : {}),
      labels: all,
    } as JsonMap,
  };
}
