import { readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Command, CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import { commands as programCommands } from '../../cli/commands.js';
import { demoCommand } from '../../cli/demo/demo.js';
import { configFrom } from '../../operator/process/flags.js';
import vitestConfig from '../../vitest.config.js';
import { flags as benchFlags } from '../bench/flags.js';
import { options as changedOptions } from '../changed/options.js';
import { flags as chaosFlags } from '../chaos/flags.js';
import { flags as compareFlags } from '../compare/flags.js';
import { imageFlags } from '../images/flags.js';
import { flags as killsFlags } from '../kills/flags.js';
import { flags as renderedFlags } from '../rendered/flags.js';
import { bugs } from '../simulation/bugs.js';
import { options as simulationOptions } from '../simulation/options.js';
import { subjects } from '../simulation/subjects.js';
import { flags as soakFlags } from '../soak/flags.js';
import { flags as upgradeFlags } from '../upgrade/flags.js';
import { type PageCommand, pageCommands } from './page-commands.js';
import { npxArguments, reconstructArguments, scriptArguments } from './proofs.js';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** Why a command of the program does not accept the arguments. Nothing runs. @returns undefined if it does */
async function refusal(command: Command, args: readonly string[]): Promise<string | undefined> {
  try {
    await withoutAction(command).parseAsync([...args], { from: 'user' });
    return undefined;
  } catch (error) {
    if (error instanceof CommanderError && error.code === 'commander.helpDisplayed') return undefined;
    return error instanceof Error ? error.message : String(error);
  }
}

function withoutAction(command: Command): Command {
  for (const one of command.commands) withoutAction(one);
  if (command.commands.length === 0) command.action(() => {});
  return command.exitOverride().configureOutput({ writeOut: () => {}, writeErr: () => {} });
}

/** The command with all subcommands, without their effects. */
const reconstruct = async () => {
  const program = new Command('reconstruct');
  for (const command of Object.values(programCommands)) program.addCommand(await command());
  return program;
};

const pathsMissing = (args: readonly string[]) => args.filter((path) => !statSync(path, { throwIfNoEntry: false }));

/** The scripts with arguments, and what is wrong with them. The other scripts accept none. */
const argumentsOf: Readonly<Record<string, (args: readonly string[]) => unknown>> = {
  chaos: (args) => refusal(chaosFlags, args),
  'bench:certificates': (args) => refusal(benchFlags, args),
  soak: (args) => refusal(soakFlags, args),
  images: (args) => refusal(imageFlags(), args),
  compare: (args) => refusal(compareFlags, args),
  kills: (args) => refusal(killsFlags, args),
  rendered: (args) => refusal(renderedFlags, args),
  upgrade: (args) => refusal(upgradeFlags, args),
  start: (args) => refusal(demoCommand(), args),
  e2e: (args) => pathsMissing(args)[0],
  engines: (args) => pathsMissing(args)[0],
  'test:changed': (args) => void parseArgs({ args: [...args], options: changedOptions, allowPositionals: true }),
  simulate: (args) => {
    const { controller, bug } = parseArgs({ args: [...args], options: simulationOptions }).values;
    if (controller !== undefined && !(controller in subjects)) return `no controller ${controller}`;
    return bug === undefined || bugs.some(({ name }) => name === bug) ? undefined : `no bug ${bug}`;
  },
};

const commands = <T>(arguments_: (command: PageCommand) => T | undefined) =>
  pageCommands().flatMap((command) => {
    const args = arguments_(command);
    return args === undefined ? [] : [{ ...command, args }];
  });

describe('the arguments on the pages', () => {
  test.each(commands(reconstructArguments))('$page:$line: the command accepts "$text"', async ({ args }) => {
    expect(await refusal(await reconstruct(), args)).toBe(undefined);
    const [command, ...rest] = args;
    if (command === 'run')
      configFrom(
        rest.filter((one) => one.startsWith('--')),
        {},
      );
  });

  test.each(commands(scriptArguments))(
    '$page:$line: the script accepts "$text"',
    async ({ args: { script, args } }) => {
      expect(scripts).toHaveProperty([script]);
      if (args.length === 0) return;
      expect(argumentsOf, `npm run ${script} accepts no arguments`).toHaveProperty([script]);
      expect(await argumentsOf[script]?.(args)).toBe(undefined);
    },
  );

  test.each(commands(npxArguments))('$page:$line: the project and the paths of "$text" exist', ({ args }) => {
    const options = { project: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args: args.slice(1), options, allowPositionals: true });
    expect(pathsMissing(positionals.filter((one) => one !== 'run'))).toEqual([]);
    if (values.project !== undefined) expect(JSON.stringify(vitestConfig)).toContain(`"name":"${values.project}"`);
  });

  test.each([
    ["error: unknown option '--soon'", 'algo', 'watch', 'translator', '--soon'],
    ["error: unknown command 'nothing'", 'nothing'],
    ["error: missing required argument 'name'", 'algo', 'promote'],
  ])('are checked: %s', async (message, ...args) => {
    expect(await refusal(await reconstruct(), args)).toBe(message);
  });
});
