/** The words of a name in any spelling: `HTTPRoute`, `http-route` and `httpRoute` have the same two words. */
function words(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
}

/** The name of a file, for example `http-route`. */
export function kebab(name: string): string {
  return words(name).join('-').toLowerCase();
}

/** The files beside the modules of kinds. */
export const reservedModules: readonly string[] = ['index', 'resource-metadata'];

/** The file of the module of a kind, for example `http-route.ts`. */
export function kindFile(kind: string): string {
  const name = kebab(kind);
  return `${reservedModules.includes(name) ? `${name}-kind` : name}.ts`;
}

/** The name of a constant, for example `httpRoute`. */
export function camel(name: string): string {
  const [first = '', ...others] = words(name);
  return first.toLowerCase() + others.map(capital).join('');
}

/** The name of a type, for example `HTTPRoute` or `V1Alpha1`. Capitals inside words stay. */
export function pascal(name: string): string {
  return name
    .replace(/([0-9])([a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .map(capital)
    .join('');
}

/** The name of a type with at most one capital in a row, for example `HttpRoute`. */
export function acronymless(name: string): string {
  return name.replace(/([A-Z]+)(?=[^a-z]|$)/g, (run) => run.charAt(0) + run.slice(1).toLowerCase());
}

/**
 * The name of a field of a class, for example `httpRoute` for `HTTPRoute` and `k8S` for `k8s`, as `cdk8s import` has it.
 * Other characters than letters and digits are left out.
 */
export function fieldName(key: string): string {
  const parts = key
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
    .map((part) => part.replace(/\d+\p{L}/gu, (match) => match.toUpperCase()));
  const [first = '', ...others] = parts;
  const name = first + others.map(capital).join('');
  if (RESERVED_FIELDS.has(name.toLowerCase())) return `${name}_`;
  return /^\p{L}/u.test(name) ? name : `_${name}`;
}

/** Fields that jsii, the compiler behind cdk8s, does not allow. `cdk8s import` adds an underscore. */
const RESERVED_FIELDS: ReadonlySet<string> = new Set(['build', 'equals', 'hashcode']);

/** The name of a member of an enum, for example `NO_SCHEDULE` for `NoSchedule`, and `VALUE_15` for `15`. */
export function memberName(value: string | number): string {
  const spelled = String(value).replace(SYMBOLS, (symbol, offset: number, text: string) =>
    symbol === '.' && /\d$/.test(text.slice(0, offset)) && /^\d/.test(text.slice(offset + 1))
      ? '_'
      : `_${symbolName(symbol)}_`,
  );
  const name = words(spelled).join('_').toUpperCase();
  if (name === '') return 'EMPTY';
  return /^[A-Z]/.test(name) ? name : `VALUE_${name}`;
}

const SYMBOL_NAMES: Readonly<Record<string, string>> = {
  ...{ '===': 'DEEP_EQUALS', '!=': 'NOT_EQUALS_TO', '==': 'EQUALS_TO', '=~': 'EQUAL_TILDE', '!~': 'NEGATION_TILDE' },
  ...{ '>=': 'GREATER_THAN_EQUAL_TO', '<=': 'LESSER_THAN_EQUAL_TO', '()': 'ROUND_BRACKETS', '{}': 'CURLY_BRACES' },
  ...{ '<>': 'ANGLE_BRACKETS', '!': 'EXCLAMATION', '@': 'AT_SIGN', '`': 'BACKTICK', '&': 'AMPERSAND', '*': 'ASTERISK' },
  ...{ "'": 'APOSTROPHE', '-': 'HYPHEN', _: 'UNDERSCORE', $: 'DOLLAR_SIGN', '#': 'POUND_SIGN', '~': 'TILDE' },
  ...{ '%': 'PERCENT', '^': 'CARAT', '|': 'PIPE', '?': 'QUESTION_MARK', ',': 'COMMA', '.': 'PERIOD', '=': 'EQUALS' },
  ...{ '<': 'LESS_THAN', '>': 'GREATER_THAN', '(': 'OPEN_BRACKET', ')': 'CLOSE_BRACKET', '{': 'OPEN_BRACE' },
  ...{ '}': 'CLOSE_BRACE', ';': 'SEMI_COLON', '"': 'QUOTATION_MARK', '/': 'FORWARD_SLASH', '\\': 'BACKWARD_SLASH' },
};

const SYMBOLS = /===|[!=]=|[=!]~|[<>]=|\(\)|\{\}|<>|[^A-Za-z0-9\s]/gu;

/** A symbol without a name is told by its code point. */
function symbolName(symbol: string): string {
  return SYMBOL_NAMES[symbol] ?? `u${(symbol.codePointAt(0) ?? 0).toString(16)}`;
}

/** The name, with a number at its end if it is taken already. The result is taken then. */
export function untaken(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}${count}`;
  taken.add(free);
  return free;
}

/** A text as a literal in single quotes. */
export function literal(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
