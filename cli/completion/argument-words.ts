import type { Argument } from 'commander';
import { kindOfArgument } from '../cluster/resource-argument.js';
import type { NameSources } from './cluster-names.js';
import { kindCompletions, kindTyped } from './kind-names.js';
import { type Completions, directive, files } from './protocol.js';
import { isFileName, type TypedWords } from './typed-words.js';

/** What the next argument can be. A name comes from the cluster. */
export async function argumentCompletions(typed: TypedWords, sources: NameSources): Promise<Completions> {
  const { command, arguments: given, options, current } = typed;
  const all = command.registeredArguments;
  const argument = all[given.length] ?? all.findLast(({ variadic }) => variadic);
  if (!argument) return { values: [] };
  const named = async (kind = kindOfArgument(argument)): Promise<Completions> => ({
    values: kind ? (await sources.resources(kind, options)).map((value) => ({ value })) : [],
  });
  if (argument.argChoices) return { values: argument.argChoices.map((value) => ({ value })) };
  if (takesResource(argument, all)) return ofResource(current, named);
  if (argument.name() === 'kind')
    return current.includes('/') ? ofResource(current, named) : { values: kindCompletions() };
  if (argument.name() === 'name') return named(kindOfArgument(argument) ?? kindTyped(given[0] ?? ''));
  return isFileName(argument.name()) ? files : { values: [] };
}

/** An optional module comes before the KIND/NAME, so a user may type either. */
function takesResource(argument: Argument, all: readonly Argument[]): boolean {
  return argument.name() === 'resource' || (argument === all[0] && all[1]?.name() === 'resource');
}

/** KIND/NAME: the kind with its slash, and then the names. Without a fitting kind, the word may be a file. */
async function ofResource(
  current: string,
  named: (kind: ReturnType<typeof kindTyped>) => Promise<Completions>,
): Promise<Completions> {
  const [kind = ''] = current.split('/');
  if (!current.includes('/')) {
    const values = kindCompletions().map(({ value, ...more }) => ({ value: `${value}/`, ...more }));
    return { values, directive: directive.noSpace };
  }
  const known = kindTyped(kind);
  if (!known) return files;
  const { values } = await named(known);
  return { values: values.map(({ value }) => ({ value: `${kind}/${value}` })) };
}
