import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { controllers } from '../../operator/controllers/index.js';
import { parseYamlDocuments } from '../../operator/yaml/parse-yaml.js';
import { OperatorInstall, type OperatorInstallProps } from '../../src/index.js';
import { mergedRules, type PolicyRule } from '../../src/rbac/rules.js';
import type { Rendered } from '../src/given-rendered.js';
import { type HelmResult, helm } from './helm-program.js';

/** The chart, as `npm run synth` writes it. */
export const chart = 'dist/chart';

/** The namespace of the releases. */
export const namespace = 'ops';

/** Runs `helm template` with values. */
export async function template(values: object, folder = chart): Promise<HelmResult> {
  const files = mkdtempSync(join(tmpdir(), 'values-'));
  const file = join(files, 'values.json');
  writeFileSync(file, JSON.stringify(values));
  try {
    return await helm(['template', 'release', folder, '--namespace', namespace, '--values', file]);
  } finally {
    rmSync(files, { recursive: true });
  }
}

/** The objects that the chart renders, by kind, namespace and name. */
export async function chartObjects(values: object): Promise<Record<string, Rendered>> {
  const { code, stdout, stderr } = await template(values);
  if (code !== 0) throw new Error(stderr);
  return comparable(parseYamlDocuments(stdout).filter((document) => document !== null));
}

/** The objects that `OperatorInstall` renders, without the namespace, which is that of the release. */
export function installObjects(props: Partial<OperatorInstallProps>): Record<string, Rendered> {
  const scope = new Chart(new App(), 'chart');
  new OperatorInstall(scope, 'operator', { controllers, namespace, createNamespace: false, ...props });
  return comparable(scope.toJson());
}

/** Labels and annotations with which Helm recognizes its objects. */
const ofHelm = [
  'helm.sh/chart',
  'helm.sh/resource-policy',
  'app.kubernetes.io/managed-by',
  'app.kubernetes.io/version',
];

/** Objects by what identifies them, without the labels of Helm, and with permissions that are divided in one way. */
function comparable(objects: readonly Rendered[]): Record<string, Rendered> {
  return Object.fromEntries(
    objects.map(({ metadata: { labels, annotations, ...metadata }, ...object }) => {
      const { rules = [] } = object as { readonly rules?: readonly PolicyRule[] };
      const isRole = /^(Cluster)?Role$/.test(object.kind);
      const all = { ...metadata, ...without('labels', labels), ...without('annotations', annotations) };
      const merged = isRole
        ? { ...object, rules: mergedRules(rules.filter(hasGroups)).concat(rules.filter((rule) => !hasGroups(rule))) }
        : object;
      return [`${object.kind} ${metadata.namespace ?? ''}/${metadata.name}`, { ...merged, metadata: all } as Rendered];
    }),
  );
}

/** Rules for paths have no API groups, and are not merged. */
const hasGroups = (rule: PolicyRule) => 'apiGroups' in rule;

function without(field: 'labels' | 'annotations', map: Readonly<Record<string, string>> = {}): object {
  const own = Object.entries(map).filter(([key]) => !ofHelm.includes(key));
  return own.length === 0 ? {} : { [field]: Object.fromEntries(own) };
}
