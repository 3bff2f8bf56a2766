import type { Command, Option } from 'commander';

/** The commands by their names, each loaded when it is needed. */
export type LoadedCommands = Readonly<Record<string, () => Promise<Command>>>;

/** The words of an unfinished command line. */
export interface TypedWords {
  /** The innermost command that is named. */
  readonly command: Command;
  /** Its complete arguments. */
  readonly arguments: readonly string[];
  /** The values of options, by their attribute names. */
  readonly options: Readonly<Record<string, string>>;
  /** The option whose value is typed. @default - none */
  readonly option?: Option;
  /** Whether `--` is typed, after which a word with a dash is an argument. */
  readonly areOptionsOver: boolean;
  /** A part of the last word that stays: `--namespace=`. Otherwise empty. */
  readonly prefix: string;
  /** The part of the last word that is completed. */
  readonly current: string;
}

/**
 * Reads the words up to the cursor.
 * @param root the program, without its commands, and with the options that may come before them
 * @param words the words after the name of the program. The last one is completed, and may be empty
 */
export async function typedWords(
  root: Command,
  commands: LoadedCommands,
  words: readonly string[],
): Promise<TypedWords> {
  const given: string[] = [];
  const options: Record<string, string> = {};
  let command = root;
  let pending: Option | undefined;
  let areOptionsOver = false;
  for (const word of words.slice(0, -1)) {
    if (pending) {
      options[pending.attributeName()] = word;
      pending = undefined;
    } else if (word === '--') areOptionsOver = true;
    else if (!areOptionsOver && isOption(word)) {
      const { option, value } = optionIn(word, command);
      if (option && value !== undefined) options[option.attributeName()] = value;
      else if (option && takesValue(option)) pending = option;
    } else {
      const next = command === root ? await commands[word]?.() : subcommand(command, word);
      if (next) command = next;
      else given.push(word);
    }
  }
  const last = words.at(-1) ?? '';
  const typed = { command, arguments: given, options, areOptionsOver };
  if (pending) return { ...typed, option: pending, prefix: '', current: last };
  const { option, value } = areOptionsOver ? {} : optionIn(last, command);
  if (!option || value === undefined) return { ...typed, prefix: '', current: last };
  return { ...typed, option, prefix: last.slice(0, last.length - value.length), current: value };
}

const isOption = (word: string) => word.startsWith('-') && word !== '-';

function optionIn(word: string, { options }: Command): { readonly option?: Option; readonly value?: string } {
  const [, flag = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  const option = options.find(({ short, long }) => flag === short || flag === long);
  return { ...(option && { option }), ...(value !== undefined && { value }) };
}

/** Whether the name of a value or argument means a file, such as `<file>`. */
export function isFileName(name: string): boolean {
  return /\b(?:file|files|folder|module)\b/.test(name);
}

/** Whether an option has a value, such as `--namespace <namespace>`. */
export function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

function subcommand({ commands }: Command, word: string): Command | undefined {
  return commands.find((one) => one.name() === word || one.aliases().includes(word));
}
