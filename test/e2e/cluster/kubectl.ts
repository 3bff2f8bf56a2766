import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/**
 * Runs kubectl on the cluster that KUBECONFIG names; RECONSTRUCT_KUBECTL is another line of shell for it.
 * @param input what it reads, as the objects of `apply -f -`
 * @returns its output
 * @throws {Error} with its standard error
 */
export async function kubectl(args: readonly string[], input = ''): Promise<string> {
  const command = process.env['RECONSTRUCT_KUBECTL'] || 'kubectl';
  return runShell(command, args, input);
}

/** Runs a line of shell with arguments. @returns its output @throws {Error} with its standard error */
export async function runShell(line: string, args: readonly string[], input = ''): Promise<string> {
  const child = spawn('/bin/sh', ['-c', `${line} "$@"`, 'sh', ...args], { stdio: 'pipe' });
  child.stdin.on('error', () => {}); // a command that does not read its input closes it
  child.stdin.end(input);
  const [code, output, complaint] = await Promise.all([
    new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve)),
    text(child.stdout),
    text(child.stderr),
  ]);
  if (code === 0) return output;
  throw new Error(`${line} ${args.join(' ')}: ${complaint.trim() || `ended with ${code}`}`);
}

/** Creates or changes objects as a user does, with `kubectl apply --server-side`. */
export async function applied(...objects: readonly object[]): Promise<void> {
  const list = { apiVersion: 'v1', kind: 'List', items: objects };
  await kubectl(
    ['apply', '--server-side', '--force-conflicts', '--field-manager=e2e', '-f', '-'],
    JSON.stringify(list),
  );
}
