/** The options that kubectl accepts anywhere, each with a value. */
const globalOptions: ReadonlySet<string> = new Set(['-n', '--namespace', '--context', '--kubeconfig']);

/** Arguments in which options come before the command, as for kubectl. */
export interface LeadingOptions {
  /** The options before the command, with their values. */
  readonly options: readonly string[];
  /** The command and all that follows. */
  readonly rest: readonly string[];
}

/** Separates the global options of kubectl that come before the command. */
export function leadingOptions(argv: readonly string[]): LeadingOptions {
  let end = 0;
  for (let word = argv[end]; word !== undefined && globalOptions.has(word.split('=')[0] ?? ''); word = argv[end])
    end += word.includes('=') ? 1 : 2;
  return { options: argv.slice(0, end), rest: argv.slice(end) };
}

/**
 * The same arguments with those options after the command, which has them. A command without one of them refuses it.
 * @example withGlobalOptionsLast(['-n', 'shop', 'status', 'db']) // status db -n shop
 */
export function withGlobalOptionsLast(argv: readonly string[]): readonly string[] {
  const { options, rest } = leadingOptions(argv);
  if (options.length === 0 || rest.length === 0) return argv;
  const separator = rest.indexOf('--');
  const end = separator < 0 ? rest.length : separator;
  return [...rest.slice(0, end), ...options, ...rest.slice(end)];
}
