import { type Declaration, marked } from './declaration.js';

const DECLARATION =
  /(\/\*\*\n(?: \*[^\n]*\n)+)?(export (?:interface|type) ([\p{ID_Continue}$]+)[\s\S]*?\n)(?=\/\*\*\n|export |$(?![\s\S]))/gu;

/** The declarations in the code of json-schema-to-typescript. */
export function interfaceDeclarations(code: string): readonly Declaration[] {
  const found = [...`${code.trimEnd()}\n`.matchAll(DECLARATION)];
  const names = new Set(found.map(([, , , name = '']) => name));
  return found.map(([, comment = '', text = '', name = '']) => {
    const isInterface = text.startsWith('export interface ');
    return {
      name,
      comment,
      code: text
        .split('\n')
        .map(isInterface ? memberOf(names) : typeOf(names))
        .join('\n'),
      alias: { type: marked(name) },
    };
  });
}

const MEMBER = /^( +(?:readonly )?(?:'[^']*'|"[^"]*"|\[k: string\]|[\p{ID_Continue}$]+)\??: ?)(.*)$/u;

/** Marks names in the type of a member. The name of the member itself can be that of a type. */
const memberOf = (names: ReadonlySet<string>) => (line: string) => {
  const [, key = '', type = line] = MEMBER.exec(line) ?? [];
  return key + typeOf(names)(type);
};

/** Marks names outside of comments and texts. */
const typeOf = (names: ReadonlySet<string>) => (line: string) =>
  /^\s*(?:\*|\/\*)/.test(line)
    ? line
    : line.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[\p{ID_Continue}$]+/gu, (word) =>
        names.has(word) ? marked(word) : word,
      );
