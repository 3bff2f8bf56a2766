import type { CustomResourceDefinition, CustomResourceVersion } from '../../../crds/index.js';
import { servedVersions } from '../crds/served-versions.js';
import { FIELD_HEADINGS, fieldRow, fieldRows } from './fields.js';
import { code, prose, referenceHeader, table } from './markdown.js';
import { ruleSection } from './rules.js';

/** The reference page of a kind: the fields of its spec and status, its rules and its columns. */
export function reference(crd: CustomResourceDefinition, command: string): string {
  const { names, group, scope } = crd.spec;
  const short = names.shortNames?.length ? `, short ${names.shortNames.map((name) => `\`${name}\``).join(', ')}` : '';
  const intro = [
    referenceHeader(command),
    `# ${names.kind}`,
    `\`${names.plural}.${group}\`${short}; ${scope === 'Namespaced' ? 'namespaced' : 'cluster-scoped'}.`,
  ];
  return `${[...intro, ...servedVersions(crd).flatMap(versionSections)].join('\n\n')}\n`;
}

function versionSections(version: CustomResourceVersion): readonly string[] {
  const root = version.schema.openAPIV3Schema;
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...parts } = root.properties ?? {};
  const name = metadata?.properties?.['name'];
  return [
    `## ${version.name}${version.deprecated ? ' (deprecated)' : ''}`,
    ...(root.description ? [root.description] : []),
    ...(name ? [`### metadata`, table(FIELD_HEADINGS, [fieldRow('metadata.name', name, true)])] : []),
    ...Object.entries(parts).flatMap(([key, schema]) => [
      `### ${key}`,
      ...(schema.description ? [schema.description] : []),
      table(FIELD_HEADINGS, fieldRows(schema, key)),
    ]),
    ...ruleSection('### Rules', root, 'the resource'),
    ...columnSection(version),
  ];
}

function columnSection({ additionalPrinterColumns: columns = [] }: CustomResourceVersion): readonly string[] {
  const rows = columns.map(({ name, jsonPath, description = '' }) => [name, code(jsonPath), prose(description)]);
  return rows.length > 0 ? ['### Columns of `kubectl get`', table(['Column', 'From', 'Description'], rows)] : [];
}
