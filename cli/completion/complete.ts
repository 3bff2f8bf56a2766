import { Command, type Option } from 'commander';
import { type NameSources, nameSources, type TypedPlace } from './cluster-names.js';
import { answerLines, type Completion, type Completions, files } from './protocol.js';
import { isFileName, type LoadedCommands, type TypedWords, takesValue, typedWords } from './typed-words.js';

/** The command line of a program. */
export interface CommandLine {
  /** The program as its users call it. */
  readonly name: string;
  readonly commands: LoadedCommands;
}

/** Prints what a shell can complete, by the protocol. @param words after the program. The last one is completed */
export async function printCompletions(line: CommandLine, words: readonly string[]): Promise<void> {
  for (const text of answerLines(await completionsOf(line, words))) console.log(text);
}

/** What the last word can be. Only the command that is named is loaded, and the cluster is asked only for its names. */
export async function completionsOf(
  { name, commands }: CommandLine,
  words: readonly string[],
  sources: NameSources = nameSources,
): Promise<Completions> {
  const root = new Command(name)
    .option('-n, --namespace <namespace>')
    .option('--context <name>')
    .option('--kubeconfig <file>')
    .option('--version');
  const typed = await typedWords(root, commands, words);
  const found = typed.command === root ? ofProgram(typed, commands, sources) : ofCommand(typed, sources);
  return fitting(await found, typed);
}

async function ofProgram(typed: TypedWords, commands: LoadedCommands, sources: NameSources): Promise<Completions> {
  if (typed.option || typed.current.startsWith('-')) return ofCommand(typed, sources);
  if (typed.arguments.length > 0) return { values: [] }; // an unknown command
  return { values: Object.keys(commands).map((value) => ({ value })) };
}

async function ofCommand(typed: TypedWords, sources: NameSources): Promise<Completions> {
  const { command, option, current, options, areOptionsOver } = typed;
  if (option) return ofOption(option, options, sources);
  if (current.startsWith('-') && !areOptionsOver) return { values: optionNames(command) };
  if (command.commands.length > 0)
    return { values: command.commands.map((one) => ({ value: one.name(), description: one.description() })) };
  // The schemas of all kinds take a while to load.
  const { argumentCompletions } = await import('./argument-words.js');
  return argumentCompletions(typed, sources);
}

function optionNames(command: Command): readonly Completion[] {
  const visible = command.options.filter(({ hidden }) => !hidden);
  const own = visible.flatMap(({ long, description }) => (long ? [{ value: long, description }] : []));
  return [...own, { value: '--help', description: 'display help for command' }];
}

async function ofOption(option: Option, place: TypedPlace, sources: NameSources): Promise<Completions> {
  const plain = (values: readonly string[]): Completions => ({ values: values.map((value) => ({ value })) });
  if (option.argChoices) return plain(option.argChoices);
  switch (option.attributeName()) {
    case 'namespace':
      return plain(await sources.namespaces(place));
    case 'context':
      return plain(await sources.contexts(place));
    case 'output':
      return plain(['text', 'json']);
    default:
      return takesValue(option) && isFileName(option.flags.replace(/^[^<[]*/, '')) ? files : { values: [] };
  }
}

function fitting({ values, directive: how }: Completions, { prefix, current }: TypedWords): Completions {
  const fits = values.filter(({ value }) => value.startsWith(current));
  return {
    values: fits.map(({ value, ...more }) => ({ value: `${prefix}${value}`, ...more })),
    ...(how !== undefined && { directive: how }),
  };
}
