/** Amounts of resources by name. */
export type ResourceList = Readonly<Partial<Record<'cpu' | 'memory', string>>>;

const form = /^(cpu|memory)=(\d+(?:\.\d+)?(?:m|[kMGT]|[KMGT]i)?)$/;

/**
 * The amounts in a text as `kubectl set resources` takes it, such as `cpu=200m,memory=512Mi`. Empty for an empty text.
 * @throws {Error} with what was expected
 */
export function resourceListIn(text: string): ResourceList {
  const amounts = text.split(',').map((part) => part.trim());
  const entries = (text === '' ? [] : amounts).map((part) => {
    const [, name, amount] = form.exec(part) ?? [];
    if (name === undefined || amount === undefined) throw new Error(expected);
    return [name, amount] as const;
  });
  if (new Set(entries.map(([name]) => name)).size < entries.length) throw new Error(expected);
  return Object.fromEntries(entries);
}

const expected = 'amounts of cpu and memory, such as cpu=200m,memory=512Mi';
