import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { databaseStatus } from './given/database.js';
import { commandsIn, type PageCommand, wordsOf } from './page-commands.js';

/** Where the commands of a page run. */
export interface Surroundings {
  /** Kubeconfig with the namespace of the page's objects. */
  readonly kubeconfig: string;
  /** The program kubectl and its first arguments. */
  readonly kubectl: readonly string[];
  /** The working directory, with the files that the page names. */
  readonly folder: string;
  /** Functions of the shell that stand in for more programs. @default none */
  readonly functions?: string;
}

/** The programs that no other part of a test cluster can replace: kubelets, an operator, and a person at an editor. */
const standIns = String.raw`
kubectl() {
  case " $* " in
    *" delete pod client "*) "$reconstruct_kubectl" "$@" ;;
    *" delete "*) "$reconstruct_kubectl" "$@" --dry-run=server ;;
    *" apply --server-side "*) "$reconstruct_kubectl" "$@" --force-conflicts ;;
    *" rollout status "* | *" --watch "*) "$reconstruct_kubectl" "$@" --watch=false ;;
    *" exec "*) without_kubelet 'does not have a host assigned' "$@" ;;
    *" port-forward "*) without_kubelet 'pod is not running' "$@" ;;
    *" wait pod "*) given_status "$2" "$3" "$ready_pod" && wait_briefly "$@" ;;
    *" wait db orders-before "*) given_status "$2" "$3" "$ready_database" && wait_briefly "$@" ;;
    *" wait "*) wait_briefly "$@" ;;
    *) "$reconstruct_kubectl" "$@" ;;
  esac
}
without_kubelet() {
  local reason=$1 answer
  shift
  answer=$("$reconstruct_kubectl" "$@" 2>&1 </dev/null) && return
  printf '%s\n' "$answer"
  case $answer in *"$reason"*) return 0 ;; *) return 1 ;; esac
}
given_status() { "$reconstruct_kubectl" patch "$1" "$2" --subresource=status --type=merge --patch "$3"; }
wait_briefly() { "$reconstruct_kubectl" "$@" --timeout=20s; }
export KUBE_EDITOR=true
ready_pod='{"status": {"conditions": [{"type": "Ready", "status": "True"}]}}'
`;

/**
 * Runs commands of one page in one shell, each as it stands on the page. @returns why commands failed, a line each
 *
 * kubectl talks to a real API server without kubelets. Deletions are dry runs on the server. A command that needs a
 * kubelet must get as far as the kubelet.
 */
export async function failuresOf(
  commands: readonly PageCommand[],
  { kubeconfig, kubectl, folder, functions = '' }: Surroundings,
): Promise<readonly string[]> {
  const programs = mkdtempSync(join(tmpdir(), 'kubectl-'));
  const program = join(programs, 'kubectl');
  writeFileSync(program, `#!/bin/sh\nexec ${kubectl.map((word) => `'${word}'`).join(' ')} "$@"\n`, { mode: 0o755 });
  const steps = commands.map(({ text }) => `echo '${mark}'\n${withoutLogFilters(text)}\nprintf '%s\\n' "${mark}$?"`);
  const given = [`reconstruct_kubectl=${program}`, `ready_database='${JSON.stringify({ status: databaseStatus })}'`];
  const script = ['exec 2>&1 </dev/null', ...given, standIns, functions, ...steps];
  const output = await outputOf(script.join('\n'), { cwd: resolve(folder), kubeconfig });
  rmSync(programs, { recursive: true });
  const parts = output.split(new RegExp(`${mark}(\\d*)\\n`)).slice(1);
  return commands.flatMap((command, index) => {
    const [, answer = '', code = 'no exit code'] = parts.slice(index * 4);
    const failure = code === '0' ? emptiness(command, answer) : `exit code ${code}: ${answer.trim()}`;
    return failure === undefined ? [] : [`${command.page}:${command.line}: ${command.text}\n  ${failure}`];
  });
}

const mark = '@@of a page@@';

/** A read, without the names of objects and the timeout. Two reads of one shape prove the same. */
export const shapeOf = ({ text }: PageCommand) =>
  text.replaceAll(/\b(orders|translator|reconstruct)(-[a-z0-9]+)*\b/g, 'NAME').replace(/ --timeout=\w+/, '');

/** The commands without those reads that have the shape of an earlier one. */
export function withoutRepeatedReads(commands: readonly PageCommand[]): readonly PageCommand[] {
  const isRead = ({ text }: PageCommand) => / (get|describe|logs|wait|events) /.test(text) && !text.includes('=$(');
  const shapes = commands.map((command) => (isRead(command) ? shapeOf(command) : undefined));
  return commands.filter((_, index) => shapes[index] === undefined || shapes.indexOf(shapes[index]) === index);
}

/** Logs are empty without kubelets, and a filter that finds nothing fails. */
function withoutLogFilters(text: string): string {
  return / logs /.test(text) ? text.replace(/ \| .*$/, '') : text.replace(/ &$/, '');
}

/** A query without an answer has a wrong path or selector. */
function emptiness({ text }: PageCommand, answer: string): string | undefined {
  if (/ -o jsonpath=/.test(text) && !text.includes('=$(') && answer.trim() === '') return 'the path has no value';
  const mustFind = wordsOf(text).includes('-l') && !text.includes('quarantined');
  return mustFind && answer.includes('No resources found') ? 'nothing has this selector' : undefined;
}

function outputOf(script: string, { cwd, kubeconfig }: { cwd: string; kubeconfig: string }): Promise<string> {
  const env = { ...process.env, KUBECONFIG: kubeconfig, RECONSTRUCT_METRICS_PORT: '0', RECONSTRUCT_HEALTH_PORT: '0' };
  return new Promise((done) => {
    execFile('bash', ['-c', script], { cwd, env, maxBuffer: Infinity }, (_error, stdout, stderr) =>
      done(stdout + stderr),
    );
  });
}

/** A step through a page: a file that it shows, or a command. */
export type Step = { readonly file: string; readonly content: string } | PageCommand;

/** A file that a page shows: its name is in the first line or in the sentence before. */
const shown = /`([\w.-]+)`:\n\n```(?:json|yaml)\n([\s\S]*?)^```$|^```ts\n(\/\/ (\S+\.ts)\n[\s\S]*?)^```$/gm;

/** The files and the commands of a page in their order, so that a command finds the files that precede it. */
export function stepsOf(page: string): readonly Step[] {
  const text = readFileSync(page, 'utf8');
  const lineAt = (index: number) => text.slice(0, index).split('\n').length;
  const files = [...text.matchAll(shown)].map(({ index, 1: file, 2: content, 3: code, 4: module }) => ({
    line: lineAt(index),
    step: { file: file ?? module ?? '', content: content ?? code ?? '' },
  }));
  const commands = commandsIn(page, text).map((command) => ({ line: command.line, step: command }));
  return [...files, ...commands].toSorted((a, b) => a.line - b.line).map(({ step }) => step);
}

/** Shell that writes a file of a page. */
export const writing = (file: string, content: string) => `cat >${file} <<'END OF FILE'\n${content}END OF FILE`;
