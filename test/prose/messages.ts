import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** A text in the sources that a person may read. */
export interface Message {
  /** `path:line` */
  readonly at: string;
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
}

/** The texts of four words or more in the product's sources: messages, help, descriptions. */
export function messages(): readonly Message[] {
  return ['cli', 'crds', 'operator', 'src'].flatMap(sourcesIn).flatMap((path) => {
    const source = readFileSync(path, 'utf8');
    return textsIn(parseAst(source, { lang: 'ts' }) as unknown as Node)
      .filter(({ text }) => text.split(/\s+/).filter((word) => /^[\p{L}']+[,.:;]?$/u.test(word)).length >= 4)
      .map(({ start, text }) => ({ at: `${path}:${source.slice(0, start).split('\n').length}`, text }));
  });
}

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path));
}

/** Each literal; of a template its parts, with `…` for what is put in. */
function textsIn(node: Node): readonly { readonly start: number; readonly text: string }[] {
  if (node.type === 'ImportDeclaration') return [];
  const own =
    node.type === 'Literal' && typeof node.value === 'string'
      ? [node.value]
      : node.type === 'TemplateLiteral'
        ? [(node.quasis ?? []).map(({ value }) => value.cooked).join('…')]
        : [];
  const below = Object.values(node).flatMap((part: unknown) => (Array.isArray(part) ? part : [part]));
  return [
    ...own.map((text) => ({ start: node.start, text })),
    ...below.filter(isNode).flatMap((part) => textsIn(part)),
  ];
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}
