import { Argument, Command } from 'commander';
import { type Shell, scripts } from './scripts.js';

/** `reconstruct completion SHELL`: prints the script with which a shell completes the command. */
export function completionCommand(): Command {
  return new Command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>', 'shell that reads the script').choices(Object.keys(scripts)))
    .action((shell: Shell) => void process.stdout.write(scripts[shell]));
}
