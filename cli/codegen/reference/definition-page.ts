import type { CustomResourceDefinition, JsonSchema } from '../../../crds/index.js';
import { type Definition, definition } from '../../../crds/schema/json.js';
import { servedVersions } from '../crds/served-versions.js';
import { FIELD_HEADINGS, fieldRows, type Member, membersOf } from './fields.js';
import { code, type Row, referenceHeader, table } from './markdown.js';
import { ruleSection } from './rules.js';

/** A page that refers to definitions. */
export interface ReferringPage {
  readonly title: string;
  readonly file: string;
  readonly schema: JsonSchema;
}

/** The page of the storage version of a kind. */
export function referringPage(crd: CustomResourceDefinition, file: string): ReferringPage {
  const [version] = servedVersions(crd);
  return { title: crd.spec.names.kind, file, schema: version?.schema.openAPIV3Schema ?? {} };
}

/**
 * The reference page of a schema that several kinds use: where they use it, its fields, and its rules.
 * @param pages all pages that can refer to it
 */
export function definitionPage(of: Definition, pages: readonly ReferringPage[], command: string): string {
  const { json, page } = of;
  const uses = pages.flatMap(({ title, file, schema }): readonly Row[] => {
    const paths = usesOf(of, schema, '');
    return paths.length > 0 ? [[`[${title}](${file})`, paths.map(code).join(', ')]] : [];
  });
  return `${[
    referenceHeader(command),
    `# ${page?.title}`,
    json.description ?? '',
    table(['Used by', 'Field'], uses),
    'A kind can refuse further values: see the rules on its page.',
    '## Fields',
    table(FIELD_HEADINGS, fieldRows(json, '')),
    ...ruleSection('## Rules', json, ''),
  ].join('\n\n')}\n`;
}

/** The paths at which a schema uses a definition, outside of other definitions with a page. */
function usesOf(of: Definition, schema: JsonSchema, path: string): readonly string[] {
  return membersOf(schema, path).flatMap((member: Member) => {
    const used = member.schema[definition];
    if (used === of) return [member.path];
    return used?.page ? [] : usesOf(of, member.schema, member.path);
  });
}
