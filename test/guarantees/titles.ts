import { importsOf, type Source, withoutComments } from '../sources.js';

/** A test, or a group of tests, whose title names guarantees: `R7 R16 …`. */
export interface NamedTest {
  /** As the code has it, placeholders such as `$when` included. */
  readonly title: string;
  /** The numbers of the guarantees that the title names. */
  readonly guarantees: readonly number[];
  /** The path from the root. */
  readonly file: string;
  /** True if it runs on a real control plane. */
  readonly isReal: boolean;
}

/** All tests that name guarantees, by file and in the order of the code. The bugs beside this file quote some. */
export function namedTests(sources: readonly Source[]): readonly NamedTest[] {
  const real = filesOnRealControlPlane(sources);
  const written = sources.filter(({ path }) => !path.startsWith('test/guarantees/'));
  return written.flatMap((source) => {
    const isReal = real.has(source.path);
    return [...new Set(literalsOf(source))]
      .filter((literal) => /^(?:† )?R\d+:? \S/.test(literal))
      .map((title) => ({ title, guarantees: guaranteesOf(title), file: source.path, isReal }));
  });
}

/** The numbers at the start of a title: 7 and 16 of `R7 R16 what a read has shown to be gone`. */
function guaranteesOf(title: string): readonly number[] {
  const [start = ''] = /^(?:(?:†|R\d+:?) )+/.exec(title) ?? [];
  return [...start.matchAll(/R(\d+)/g)].map(([, number]) => Number(number));
}

/** Integration tests, and the contracts that they import, also by way of other contracts. */
function filesOnRealControlPlane(sources: readonly Source[]): ReadonlySet<string> {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const found = new Set(sources.map(({ path }) => path).filter((path) => path.endsWith('.integration.test.ts')));
  // A set that grows while it is iterated also visits what is added.
  for (const path of found) {
    const source = byPath.get(path);
    const contracts = source ? importsOf(source).filter((imported) => imported.endsWith('.contract.ts')) : [];
    for (const contract of contracts) found.add(contract);
  }
  return found;
}

/** The string literals of a file. */
export function literalsOf({ text }: Source): readonly string[] {
  const literals = withoutComments(text).matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g);
  return [...literals].map(([, single, double, template]) =>
    (single ?? double ?? template ?? '').replaceAll(/\\(['"`])/g, '$1'),
  );
}
