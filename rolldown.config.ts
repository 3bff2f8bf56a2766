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

/** The operator in one file, in the place of its first: it starts in half the time, see `docs/maintaining/performance.md`. */
export default defineConfig({
  input: program,
  platform: 'node',
  // What is loaded when it is needed, and what of it is no code.
  external: ['@kubernetes/client-node', 'cephes'],
  plugins: [inOneByte],
  output: { dir: 'build/operator', entryFileNames: 'main.js', chunkFileNames: 'main/[name].js' },
});
