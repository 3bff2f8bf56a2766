import type { System } from '../../operator/controllers/system.js';
import { stringifyYaml } from '../../operator/yaml/stringify-yaml.js';
import { chartObjects, type Refusal } from './chart-objects.js';
import { allOf } from './logic/condition.js';
import type { Entry } from './logic/tree.js';
import { type Check, checksTemplate, withoutSystem } from './template/checks.js';
import type { Template } from './template/lines.js';
import { notes } from './template/notes.js';
import { objectTemplate } from './template/object-template.js';
import { partials } from './template/partials.js';
import { chartValues, systemValues } from './values/chart-values.js';
import { marksOf, propNames, settingsOf } from './values/setting.js';
import { valuesSchema, valuesYaml } from './values/values-yaml.js';

/** The part of a system that the chart needs. */
export type ChartSystem = Pick<System, 'name' | 'controllers'>;

/** The files of the Helm chart: their texts by their paths. */
export function chartFiles(systems: readonly ChartSystem[], version: string): ReadonlyMap<string, string> {
  const settings = settingsOf(chartValues);
  const settingText = (name: string) => settings.find((setting) => setting.name === name)?.when ?? name;
  const { objects, refusals } = chartObjects(chartValues, systems);
  const template: Template = { marks: marksOf(chartValues), settingText };
  const values = [...systemValues(systems), ...chartValues];
  return new Map([
    ['Chart.yaml', chartYaml(version)],
    ['values.yaml', valuesYaml(values)],
    ['values.schema.json', `${JSON.stringify(valuesSchema(values), undefined, 2)}\n`],
    ['templates/NOTES.txt', notes],
    ['templates/_partials.tpl', partials(systems)],
    ['templates/checks.yaml', checksTemplate(checksOf(refusals, systems), settingText)],
    ...templatesOf(objects, template),
  ]);
}

function chartYaml(version: string): string {
  return stringifyYaml({
    apiVersion: 'v2',
    name: 'reconstruct',
    description: 'Operator for Algorithms, Databases, certificates, Kafka and training jobs',
    type: 'application',
    version,
    appVersion: version,
    kubeVersion: '>=1.30.0-0',
  });
}

/** A file for each CRD, and one for the objects of each other kind. */
function templatesOf(objects: readonly Entry[], template: Template): readonly [path: string, text: string][] {
  const files = new Map<string, Entry[]>();
  for (const object of objects) {
    const path = `templates/${fileOf(object)}.yaml`;
    files.set(path, [...(files.get(path) ?? []), object]);
  }
  return [...files].map(([path, members]) => [path, objectTemplate(members, template)]);
}

function fileOf({ key }: Entry): string {
  const [kind = '', , name = ''] = key.split('/');
  if (kind === 'CustomResourceDefinition') return `crds/${name}`;
  return kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
}

/** The refusals of `OperatorInstall`, with the names of the values instead of the props. */
export function checksOf(refusals: readonly Refusal[], systems: readonly ChartSystem[]): readonly Check[] {
  const names = propNames(chartValues);
  const one = systems[0]?.name ?? '';
  const none = {
    condition: withoutSystem(systems.map(({ name }) => name)),
    message: `systems must have one that is true; set one of them, such as systems.${one}, to true`,
  };
  return [
    none,
    ...refusals.map(({ message, settings, system }) => ({
      condition: allOf([...settings.map((setting) => ({ setting })), ...(system === undefined ? [] : [{ system }])]),
      message: [...names].reduce(
        (text, [prop, value]) => text.replaceAll(new RegExp(`\\b${prop}\\b`, 'g'), value),
        message,
      ),
    })),
  ];
}
