import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { controllerContract } from 'cdk8s-reconstruct/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeImports } from '../cli/codegen/imports.js';
import { type Refusal, refusalsOf } from '../cli/pages/refusals.js';
import { type CustomResourceDefinition, databaseSpec, kinds, withDefaults } from '../crds/index.js';
import { systems } from '../operator/controllers/index.js';
import type { Controller } from '../operator/runtime/controller/controller.js';
import { parseYaml } from '../operator/yaml/parse-yaml.js';
import { instanceImage } from '../src/index.js';
import { operatorImage } from '../src/install/pods.js';

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((path) => join('docs', path)),
].filter((path) => path.endsWith('.md'));

const textOf = (page: string) => readFileSync(page, 'utf8');

describe('the README', () => {
  const operator = readFileSync('examples/04-translator/operator.ts', 'utf8');

  test('shows the operator of the example as it is', () => {
    expect(textOf('README.md')).toContain(`\`\`\`ts\n${operator}\`\`\``);
  });

  test('calls for no more than 30 lines', () => {
    expect(operator.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
  });
});

describe('every page', () => {
  test.each(pages)('links only to existing files: %s', (page) => {
    const prose = textOf(page).replaceAll(/`[^`]*`/g, '');
    const links = [...prose.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = '']) => link);
    const local = links.filter((link) => !link.includes('://'));
    expect(local.filter((link) => !existsSync(join(dirname(page), link)))).toEqual([]);
  });

  test.each(pages)('links only to existing headings: %s', (page) => {
    const prose = textOf(page).replaceAll(/`[^`]*`/g, '');
    const links = [...prose.matchAll(/\]\(([^)#\s]*)#([^)\s]+)\)/g)].map(([, path = '', anchor = '']) => ({
      target: path === '' ? page : join(dirname(page), path),
      anchor,
    }));
    const local = links.filter(({ target }) => !target.includes(':/') && target.endsWith('.md'));
    const missing = local.filter(({ target, anchor }) => !anchorsOf(textOf(target)).has(anchor));
    expect(missing.map(({ target, anchor }) => `${target}#${anchor}`)).toEqual([]);
  });

  test('that installs names the image of the manifests, the script that builds it, and the page of all images', () => {
    const page = textOf('docs/installing.md');
    expect(page).toContain(`name: ${operatorImage.split(':')[0]}\n`);
    expect(page).toContain('npm run images -- --push');
    expect(page).toContain('(operator/images.md)');
    for (const image of [operatorImage, instanceImage(withDefaults(databaseSpec, { storage: { size: '1Gi' } }))])
      expect(textOf('docs/operator/images.md')).toContain(image);
  });

  test.each(pages)('names only existing scripts: %s', (page) => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    const named = [...textOf(page).matchAll(/npm run ([\w:-]+)/g)].map(([, script = '']) => script);
    expect(named.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
  });
});

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, title = '']) =>
      title
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

describe('the code on the pages', () => {
  let folder: string;
  const blocks = pages
    .filter((page) => page !== 'README.md') // whose code is that of an example
    .flatMap((page) =>
      [...textOf(page).matchAll(/^( *)```ts\n([\s\S]*?)^ *```/gm)].map(([, , code = '']) => ({ page, code })),
    );
  beforeAll(async () => {
    // Inside the package, so that it finds itself by its name.
    mkdirSync('build', { recursive: true });
    folder = mkdtempSync(join('build', '.pages-'));
    blocks.forEach(({ page, code }, index) => {
      // The pages share the files that they name: what one makes, another tests.
      const [, name = `${page.replaceAll('/', '-')}-${index}.ts`] = /^\/\/ (\S+\.ts)\n/.exec(code) ?? [];
      writeFileSync(join(folder, name), code);
    });
    await importWebsite();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('compiles', () => {
    expect(blocks.length).toBeGreaterThan(3);
    const compilerOptions = { rootDir: '../..', noUnusedLocals: false };
    const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
    const config = join(folder, 'tsconfig.json');
    writeFileSync(config, JSON.stringify({ extends: '../../tsconfig.json', compilerOptions, files, include: [] }));
    const tsc = join('node_modules', 'typescript', 'bin', 'tsc');
    // One checker: each of several would check the same imports for the few files.
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', config, '--checkers', '1'], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });

  const resource = {
    apiVersion: 'example.com/v1',
    kind: 'Website',
    metadata: { name: 'hello', namespace: 'default' },
    spec: { html: '<title>hello</title>', replicas: 1 },
  };
  const given = {
    resource,
    edited: { html: '<title>bye</title>', replicas: 2 },
    rejected: { html: 'no title', replicas: 1 },
  };
  const promises = controllerContract({ calls: [] as Controller['calls'] } as Controller, given).map(
    ({ name }) => name,
  );

  test.each(promises)('of the first operator %s', async (name) => {
    const { website } = (await import(resolve(folder, 'controller.ts'))) as { readonly website: Controller };
    await controllerContract(website, given)
      .find((promise) => promise.name === name)
      ?.holds();
  });

  /** What the page of the first operator has the reader do by `reconstruct import`. */
  async function importWebsite(): Promise<void> {
    const module = (await import(resolve(folder, 'definition.ts'))) as {
      readonly definition: CustomResourceDefinition;
    };
    const out = join(folder, 'imports');
    await writeImports([module.definition], { out, classPrefix: 'Kube', command: 'reconstruct import' });
  }
});

describe.each(systems)('the pages of the system $name', ({ name, controllers }) => {
  const folder = `docs/kinds/${name}`;
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.md')) : [];

  test('are in a folder, with a page about its kinds', () => {
    expect(files).toContain('README.md');
    expect(files).toContain('runbook.md');
  });

  const rules = parseYaml(textOf(`docs/monitoring/rules/${name}.yaml`)) as {
    readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
  };
  const alerts = rules.groups.flatMap((group) => group.rules.map(({ alert }) => alert));
  const entries = textOf(`${folder}/runbook.md`).split(/^(?=##+ )/m);

  test('have an entry in the runbook for each alert of its rules, in their order, and no others', () => {
    const titles = entries.map((entry) => /^##+ (.*)/.exec(entry)?.[1] ?? '');
    const named = titles.filter((title) => /^\w*[a-z][A-Z]\w*$/.test(title));
    expect(named).toEqual(alerts);
  });

  test.each(alerts)('give the alert %s its meaning, impact, diagnosis and mitigation', (alert) => {
    const entry = entries.find((one) => one.includes(`# ${alert}\n`)) ?? '';
    const parts = [...entry.matchAll(/^\*\*([\w ]+)\.\*\*/gm)].map(([, part = '']) => part.toLowerCase());
    expect(parts.join(' and ')).toBe('meaning and impact and diagnosis and mitigation');
  });

  const controlled = new Set(controllers.map(({ kind }) => kind.kind));
  const own = kinds.filter(({ kind }) => controlled.has(kind));

  test('are about at least one kind', () => {
    expect(own).not.toEqual([]);
  });

  test.each(own)('have what the API server refuses of a $kind, with its message and path', (kind) => {
    const rows = files.flatMap((file) => textOf(`${folder}/${file}`).split('\n'));
    const shared = textOf('docs/kinds/pod-template/validation.md').split('\n');
    const isTold = ({ message, path }: Refusal) => {
      // Many kinds have this field, and a message about it can concern a dozen paths.
      const [, field] = /(?:^|\.)podTemplate\.(\w+)/.exec(path) ?? [];
      const [table, named] = field === undefined ? [rows, path] : [shared, field];
      const start = `| ${message.replaceAll('|', '\\|')} |`;
      return table.some((row) => row.startsWith(start) && (named === '' || row.includes(`\`${named}\``)));
    };
    expect(refusalsOf(kind)).not.toEqual([]);
    expect(refusalsOf(kind).filter((refusal) => !isTold(refusal))).toEqual([]);
  });
});

test('each folder of pages is of a system, or of what all kinds share', () => {
  const folders = readdirSync('docs/kinds').toSorted();
  expect(folders).toEqual([...systems.map(({ name }) => name), 'pod-template'].toSorted());
});

test('the architecture fits a page', () => {
  expect(textOf('docs/architecture.md').trimEnd().split('\n').length).toBeLessThanOrEqual(60);
});
