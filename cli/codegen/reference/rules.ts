import type { JsonRule, JsonSchema } from '../../../crds/index.js';
import { definition } from '../../../crds/schema/json.js';
import { type Member, membersOf } from './fields.js';
import { code, prose, type Row, table } from './markdown.js';

/** The section of the rules of a schema, if it has any. Below a field with a page of its own, only further rules count. */
export function ruleSection(heading: string, schema: JsonSchema, path: string): readonly string[] {
  const rows = rulesOf(schema, path);
  return rows.length > 0 ? [heading, table(['Where', 'Must hold', 'Else'], rows)] : [];
}

/** @param known the schemas at this path whose rules are on other pages */
function rulesOf(schema: JsonSchema, path: string, known: readonly JsonSchema[] = []): readonly Row[] {
  const used = schema[definition];
  const elsewhere = used?.page ? [...known, used.json] : known;
  const rulesElsewhere = elsewhere.flatMap((one) => one['x-kubernetes-validations'] ?? []).map(textOf);
  const own = (schema['x-kubernetes-validations'] ?? [])
    .filter((rule) => !rulesElsewhere.includes(textOf(rule)))
    .map(({ rule, message = '' }) => [code(path === '' ? 'all fields' : path), code(rule), prose(message)]);
  const membersElsewhere = elsewhere.flatMap((one) => membersOf(one, pathBelow(path)));
  const below = membersOf(schema, pathBelow(path)).flatMap((member: Member) => {
    const counterparts = membersElsewhere.filter((one) => one.path === member.path);
    return rulesOf(
      member.schema,
      member.path,
      counterparts.map((one) => one.schema),
    );
  });
  return [...own, ...below];
}

const textOf = (rule: JsonRule) => JSON.stringify(rule);

/** The root of the paths of fields below the whole resource is empty. */
const pathBelow = (path: string) => (path === 'the resource' ? '' : path);
