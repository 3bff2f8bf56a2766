import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { ImportError } from '../files/import-error.js';

const run = promisify(execFile);

/** The strictest options with which an app may compile the code. */
const OPTIONS = {
  noEmit: true,
  strict: true,
  noImplicitOverride: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  target: 'ES2022',
  module: 'ESNext',
  moduleResolution: 'Bundler',
  skipLibCheck: true,
  types: [],
};

/**
 * Compiles the modules of a folder with the TypeScript of the project around it, or that of this package.
 * @param files the modules whose errors count. Other modules of the folder can belong to the user
 * @returns the errors, one line each
 * @throws {ImportError} if TypeScript 5 or later, cdk8s or constructs is not installed
 */
export async function compileErrors(folder: string, files: readonly string[]): Promise<readonly string[]> {
  const typescript = await typescriptFor(folder);
  const paths = { cdk8s: [packageFolder('cdk8s', folder)], constructs: [packageFolder('constructs', folder)] };
  const config = { compilerOptions: { ...OPTIONS, paths }, files };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  const args = [path.join(typescript, 'bin', 'tsc'), '--project', folder, '--pretty', 'false'];
  const failed = await run(process.execPath, args, { cwd: folder, maxBuffer: 64 * 2 ** 20 }).then(
    () => undefined,
    (error: { readonly stdout?: string; readonly message: string }) => error,
  );
  const lines = (failed?.stdout || failed?.message || '').split('\n');
  const errors = lines.filter((line) => /^\S.*error TS\d+/.test(line));
  const ofFiles = errors.filter(
    (line) => files.some((file) => line.startsWith(`${file}(`)) || !/^[^(]+\.ts\(/.test(line),
  );
  return failed && errors.length === 0 ? [failed.message] : ofFiles;
}

/** The folder of TypeScript. */
async function typescriptFor(folder: string): Promise<string> {
  for (const from of placesAround(folder)) {
    const manifest = resolved('typescript/package.json', from);
    if (manifest === undefined) continue;
    const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { readonly version: string };
    if (Number.parseInt(version, 10) >= 5) return path.dirname(manifest);
  }
  throw new ImportError(
    'typescript 5 or later is not installed, and the generated code must compile; run npm install --save-dev typescript',
  );
}

function packageFolder(name: string, folder: string): string {
  const manifest = placesAround(folder)
    .map((from) => resolved(`${name}/package.json`, from))
    .find((found) => found !== undefined);
  if (manifest !== undefined) return path.dirname(manifest);
  throw new ImportError(`${name} is not installed; run npm install ${name}`);
}

/** Modules from which packages are resolved: one in the project of the folder, and this one. */
function placesAround(folder: string): readonly string[] {
  return [path.join(folder, 'index.js'), import.meta.filename];
}

function resolved(module: string, from: string): string | undefined {
  try {
    return createRequire(from).resolve(module);
  } catch {
    return undefined;
  }
}
