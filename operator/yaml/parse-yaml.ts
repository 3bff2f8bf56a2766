import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  parseAllDocuments,
  Scalar,
  type ScalarTag,
  type Tags,
  visit,
} from 'yaml';
import { plainKey, plainScalar } from './plain-scalar.js';

/** A text that is not YAML, or that kubectl cannot convert to JSON. The message can quote the text. */
export class YamlError extends Error {
  override readonly name = 'YamlError';

  constructor(
    message: string,
    /** The line of the error, from 1. */
    readonly line: number,
  ) {
    super(message);
  }
}

/** Any JSON value. Its type is open, as that of `JSON.parse`. */
type Json = ReturnType<typeof JSON.parse>;

/**
 * The documents of a text, with the values that kubectl reads: YAML 1.1 as in go-yaml v2, where `yes` is a boolean and
 * `017` is 15.
 *
 * Repeated keys are errors here, and kubectl takes the last one.
 * @throws {YamlError} for the first error
 */
export function parseYamlDocuments(text: string): readonly Json[] {
  const documents = parseAllDocuments(text, { version: '1.1', schema: 'failsafe', customTags: withKubectlTags });
  return documents.map((document) => contentOf(document, text));
}

/**
 * The value of a text with one document, or null if the text is empty.
 * @throws {YamlError} if it is not YAML or has several documents
 */
export function parseYaml(text: string): Json {
  const documents = parseYamlDocuments(text);
  if (documents.length > 1) throw new YamlError(`must be one document, has ${documents.length}`, 1);
  return documents[0] ?? null;
}

function contentOf(document: Document.Parsed, text: string): unknown {
  const [error] = document.errors;
  if (error) throw new YamlError(firstLine(error.message), error.linePos?.[0].line ?? 1);
  visit(document, { Pair: (_, pair) => nameKey(pair, text) });
  try {
    // Some CRDs share parts by anchors. The limit protects against files that expand exponentially.
    return document.toJS({ maxAliasCount: 1000 });
  } catch (error) {
    throw new YamlError(firstLine((error as Error).message), lineAt(text, document.range[0]));
  }
}

/** Replaces a key by the name of its field, because keys are strings in JSON. */
function nameKey({ key }: Pair, text: string): void {
  if (isScalar(key) && (typeof key.value === 'string' || typeof key.value === 'symbol')) return;
  const name = isScalar(key) ? plainKey(key.source ?? '') : undefined;
  const [start] = (key as Partial<Scalar> | null)?.range ?? [0];
  if (name === undefined) throw new YamlError('key must be a string, a number or a boolean', lineAt(text, start));
  (key as Scalar).value = name;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** The first line of an error, without the excerpt below it. */
function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/:$/, '');
}

function withKubectlTags(tags: Tags): Tags {
  return [...tags, mergeKey, plain, ...named];
}

const resolve: ScalarTag['resolve'] = (text, onError) => {
  const value = plainScalar(text);
  if (typeof value === 'number' && !Number.isFinite(value)) onError(`${text} must be a finite number, or in quotes`);
  return value;
};

/** Every unquoted scalar. */
const plain: ScalarTag = { tag: 'tag:kubectl,plain', default: true, test: /^/, resolve };

/** Scalars with an explicit tag. */
const named: readonly ScalarTag[] = ['int', 'float', 'bool', 'null'].map((name) => ({
  tag: `tag:yaml.org,2002:${name}`,
  resolve,
}));

/** The key `<<`, which replaces fields above it, unlike in the specification. */
const mergeKey: ScalarTag = {
  tag: 'tag:yaml.org,2002:merge',
  default: 'key',
  test: /^<<$/,
  resolve: () => Object.assign(new Scalar(Symbol('<<')), { addToJSMap: merge }),
};

type AddToMap = NonNullable<Scalar['addToJSMap']>;

function merge(...[context, map, value]: Parameters<AddToMap>): void {
  const resolved = (node: unknown) => (context && isAlias(node) ? node.resolve(context.doc, context) : node);
  const source = resolved(value);
  // Earlier maps of a list win.
  for (const one of isSeq(source) ? source.items.map(resolved).reverse() : [source]) {
    if (!isMap(one)) throw new Error('the value of << must be a map or a list of maps');
    for (const [key, member] of one.toJSON(null, context, Map) as ReadonlyMap<string, unknown>) {
      if (map instanceof Map) map.set(key, member);
      else Object.defineProperty(map, key, { value: member, writable: true, enumerable: true, configurable: true });
    }
  }
}
