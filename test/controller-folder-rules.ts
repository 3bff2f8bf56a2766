import { basename, dirname } from 'node:path';
import { type Source, withoutComments } from './sources.js';

/** A role in a controller, and the file that holds it in every controller. */
interface Role {
  readonly what: string;
  /** Code that takes the role. */
  readonly by: RegExp;
  /** Files that may, from the folder of the controller. */
  readonly in: RegExp;
  readonly file: string;
}

const exported = (what: string) => new RegExp(`^export (?:declare )?(?:const|function|interface|type) ${what}\\b`, 'm');

/** The roles of house rules, in the order of a reconcile. */
const roles: readonly Role[] = [
  { what: 'the controller', by: /\bdefineController\(/, in: /^index\.ts$/, file: 'index.ts' },
  { what: 'what is owned', by: exported('owns'), in: /^declarations\.ts$/, file: 'declarations.ts' },
  { what: 'what is read', by: exported('reads'), in: /^declarations\.ts$/, file: 'declarations.ts' },
  { what: 'references', by: /\bRefer\b/, in: /^([^/]+\/)?declarations\.ts$/, file: 'declarations.ts' },
  { what: 'polls', by: exported('polls'), in: /^polls\.ts$/, file: 'polls.ts' },
  { what: 'the builder of polls', by: /\bPollBuilder\b/, in: /^polls\.ts$/, file: 'polls.ts' },
  { what: 'a view', by: exported('\\w*View'), in: /^view\.ts$/, file: 'view.ts' },
  { what: 'the situation', by: exported('Situation'), in: /^situation\.ts$/, file: 'situation.ts' },
  { what: 'the reading of the view', by: exported('situationOf'), in: /^situation\.ts$/, file: 'situation.ts' },
  { what: 'a plan', by: exported('(?:Plan|planOf)'), in: /^plan(\/.+)?\.ts$/, file: 'plan/' },
  { what: 'a step', by: exported('(?:Step|stepOf|stepsOf)'), in: /^plan(\/.+)?\.ts$/, file: 'plan/' },
  { what: 'desire', by: exported('desire'), in: /^desire\.ts$/, file: 'desire.ts' },
  { what: 'assess', by: exported('assess'), in: /^assess\.ts$/, file: 'assess.ts' },
  { what: 'conditions', by: exported('conditions'), in: /^conditions\.ts$/, file: 'conditions.ts' },
  { what: 'the tables', by: exported('statusTables'), in: /^status-tables\.ts$/, file: 'status-tables.ts' },
  { what: 'metrics', by: exported('metrics'), in: /^metrics\.ts$/, file: 'metrics.ts' },
];

/** Names that files of these roles had, each with the name that all controllers use. */
const otherNames: Readonly<Record<string, string>> = {
  queries: 'polls.ts',
  questions: 'polls.ts',
  facts: 'view.ts, declarations.ts or situation.ts',
  'stable-view': 'view.ts',
  observed: 'view.ts',
};

const most = 50;

/** The folders with a controller: those whose `index.ts` defines one. */
export function controllerFolders(sources: readonly Source[]): readonly string[] {
  const isController = ({ path, text }: Source) =>
    /^operator\/controllers\/.+\/index\.ts$/.test(path) && /\bdefineController\(/.test(withoutComments(text));
  return sources.filter(isController).map(({ path }) => dirname(path));
}

/** Each file that holds a role of a controller under another name than in all controllers. */
export function misplacedRoles(sources: readonly Source[]): string[] {
  const folders = controllerFolders(sources);
  return sources
    .filter(({ path }) => /^operator\/controllers\/[^/]+\//.test(path))
    .flatMap(({ path, text }) => {
      const folder = folderOf(path, folders);
      const name = folder === undefined ? basename(path) : path.slice(folder.length + 1);
      const code = withoutComments(text);
      const held = roles.filter((role) => role.by.test(code) && !role.in.test(name));
      const other = otherNames[basename(path, '.ts')];
      return [
        ...held.map(({ what, file }) => `${path} has ${what}: move it to ${file} of the controller's folder`),
        ...(other === undefined ? [] : [`${path}: name it ${other}`]),
      ];
    });
}

/** The innermost folder with a controller around a file. */
function folderOf(path: string, folders: readonly string[]): string | undefined {
  const around = folders.filter((folder) => path.startsWith(`${folder}/`));
  return around.toSorted((a, b) => b.length - a.length)[0];
}

/** Each index of a controller that is more than its declaration. */
export function crowdedIndexes(sources: readonly Source[]): string[] {
  const folders = new Set(controllerFolders(sources));
  return sources
    .filter(({ path }) => path.endsWith('/index.ts') && folders.has(dirname(path)))
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > most)
    .map(({ path, lines }) => `${path} has ${lines} lines: it holds defineController and nothing else`);
}

/** Each condition of a controller with findings that has no file of its name, or no function of its name in it. */
export function misnamedFindings(sources: readonly Source[]): string[] {
  const byPath = new Map(sources.map(({ path, text }) => [path, withoutComments(text)]));
  return controllerFolders(sources)
    .filter((folder) => [...byPath.keys()].some((path) => path.startsWith(`${folder}/findings/`)))
    .flatMap((folder) =>
      conditionTypes(byPath.get(`${folder}/conditions.ts`) ?? '').flatMap((type) => {
        const file = `${folder}/findings/${kebab(type)}.ts`;
        const name = `${type.slice(0, 1).toLowerCase()}${type.slice(1)}Of`;
        const isThere = exported(name).test(byPath.get(file) ?? '');
        return isThere ? [] : [`${file} does not export ${name}, the finding of the condition ${type}`];
      }),
    );
}

/** The types in the vocabulary of a controller: its first level. */
function conditionTypes(conditions: string): readonly string[] {
  return [...conditions.matchAll(/^ {2}([A-Z]\w*): \{/gm)].map(([, type = '']) => type);
}

function kebab(type: string): string {
  return type.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
}
