import { Command } from 'commander';
import { messageOf } from '../operator/runtime/kubernetes/errors.js';
import { printable } from '../operator/telemetry/printable-text.js';
import { commands } from './commands.js';
import { completionRequest } from './completion/protocol.js';
import { ownPackage } from './files/own-package.js';
import { withGlobalOptionsLast } from './kubectl/global-options.js';
import { endsInTrouble } from './output/exit-code.js';

/**
 * Runs the command line to its end, and sets the exit code.
 * @param name the program as its users call it, for its usage texts and errors
 * @param given the arguments after the name
 */
export async function runProgram(name: string, given: readonly string[]): Promise<void> {
  try {
    if (given[0] === completionRequest) return await completeWords(name, given.slice(1));
    const argv = withGlobalOptionsLast(given);
    const program = new Command(name)
      .description('Kubernetes operators written with cdk8s constructs')
      .version(ownPackage().version)
      .exitOverride(endsInTrouble);
    const all = Object.entries(commands);
    const named = all.filter(([verb]) => verb === argv[0]);
    // The help lists all of them.
    for (const [, command] of named.length > 0 ? named : all) program.addCommand(await command());
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    console.error(`${name}: ${messageOf(error).split('\n').map(printable).join('\n')}`);
    process.exitCode ||= 1;
  }
}

async function completeWords(name: string, words: readonly string[]): Promise<void> {
  const { printCompletions } = await import('./completion/complete.js');
  await printCompletions({ name, commands }, words);
}
