import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { defineConfig, type Plugin } from 'rolldown';

const program = 'build/operator/main.js';

/** V8 keeps the text of a program while it runs, in two bytes for each character where one of them needs more than one. */
const inOneByte: Plugin = {
  name: 'in-one-byte',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk') file.code = file.code.replace(/[\u0080-\uffff]/g, escaped);
  },
};
const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The modules that `exports` of package.json names, without their extension. */
const entries = ['src/index', 'operator/index', 'operator/testing/index', 'crds/index'];

/** The declarations of the entries, and a manifest that makes TypeScript and Node.js read the folder as CommonJS. */
const asCommonJs: Plugin = {
  name: 'as-common-js',
  generateBundle() {
    for (const [fileName, source] of declarationsOf(entries.map((entry) => `build/${entry}.d.ts`)))
      this.emitFile({ type: 'asset', fileName, source });
    this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' });
  },
};

/** The declarations that some declarations import, with these, by their path in `build`. */
function declarationsOf(files: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const open = [...files];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const path = relative('build', file);
    if (texts.has(path)) continue;
    const text = readFileSync(file, 'utf8');
    texts.set(path, text);
    const imports = text.matchAll(/\b(?:from |import\(|import )['"](\.[^'"]+)\.js['"]/g);
    for (const [, imported = ''] of imports) open.push(join(dirname(file), `${imported}.d.ts`));
  }
  return texts;
}

export default defineConfig([
  /** The operator in one file, in the place of its first: it starts in half the time, see `docs/maintaining/performance.md`. */
  {
    input: program,
    platform: 'node',
    // What is loaded when it is needed, and what of it is no code.
    external: ['@kubernetes/client-node', '@platformatic/kafka', 'cephes', 'pg'],
    plugins: [inOneByte],
    output: { dir: 'build/operator', entryFileNames: 'main.js', chunkFileNames: 'main/[name].js' },
  },
  /** The package for `require`: `cdk8s init` creates CommonJS projects, and Jest cannot load ES modules from them. */
  {
    input: Object.fromEntries(entries.map((entry) => [entry, `build/${entry}.js`])),
    platform: 'node',
    external: /^[^./]/,
    plugins: [asCommonJs],
    output: {
      dir: 'build/commonjs',
      format: 'cjs',
      preserveModules: true,
      preserveModulesRoot: 'build',
      entryFileNames: '[name].js',
    },
  },
]);
