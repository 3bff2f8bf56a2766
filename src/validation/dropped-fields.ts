import { type JsonSchema, memberSchema } from '../../crds/schema/json.js';

/** A resource as a generated class writes it. */
interface Written {
  readonly manifest: object;
  readonly kind: string;
}

/**
 * The fields of props that a generated class does not write: those that it does not know, and amounts that are not
 * instances of the class of their field.
 * @returns the problem of each field, by its path
 */
export function droppedFields(
  schema: JsonSchema,
  props: object,
  { manifest, kind }: Written,
): ReadonlyMap<string, string> {
  const problems = new Map<string, string>();
  compare(schema, { given: props, written: manifest, path: '' }, (path, field, value) => {
    problems.set(path, `${path}: ${field ? needsClass(`Kube${kind}`, path, value) : 'Unknown field'}`);
  });
  return problems;
}

/** A value in the props, beside the value in the manifest. */
interface Compared {
  readonly given: unknown;
  readonly written: unknown;
  readonly path: string;
}

type Report = (path: string, field: JsonSchema | undefined, value: unknown) => void;

function compare(schema: JsonSchema, { given, written, path }: Compared, report: Report): void {
  if (Array.isArray(given)) {
    const { items } = schema;
    if (!items || !Array.isArray(written)) return;
    for (const [index, item] of given.entries())
      compare(items, { given: item, written: written[index], path: `${path}[${index}]` }, report);
    return;
  }
  if (!isMap(given) || !isMap(written)) return;
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || value === null || (path === '' && key === 'metadata')) continue;
    const field = memberSchema(schema, key);
    const at = path === '' ? key : `${path}.${key}`;
    if (written[key] === undefined) report(at, field, value);
    else if (field) compare(field, { given: value, written: written[key], path: at }, report);
  }
}

/** cdk8s names the class of a field after its path. */
function needsClass(prefix: string, path: string, value: unknown): string {
  const words = path.replace(/\[\d+\]/g, '').split('.');
  const name = prefix + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const method = typeof value === 'number' ? 'fromNumber' : 'fromString';
  const shown = JSON.stringify(value);
  return `Invalid value: ${shown}: must be an instance of ${name}; use ${name}.${method}(${shown})`;
}

/** The value with amounts in place of the instances of their classes. */
export function unwrapped(value: object): object;
export function unwrapped(value: unknown): unknown;
export function unwrapped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => unwrapped(item));
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unwrapped(item)]));
  return typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
