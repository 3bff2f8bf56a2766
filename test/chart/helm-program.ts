import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { goProgram } from '../given/go-program.js';

/** What a run of Helm printed, and its exit code. */
export interface HelmResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The path of Helm, of the version in `helm/go.mod`. */
export function helmProgram(): Promise<string> {
  return goProgram({
    module: join(import.meta.dirname, 'helm'),
    program: 'helm.sh/helm/v4/cmd/helm',
    store: 'helm',
  });
}

/** Runs Helm. @param kubeconfig of the cluster, for commands that need one */
export async function helm(args: readonly string[], kubeconfig = ''): Promise<HelmResult> {
  const program = await helmProgram();
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  return new Promise((done) => {
    execFile(program, [...args], { env, maxBuffer: Number.POSITIVE_INFINITY }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}
