/** One value that somebody tells. */
export interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

const sampleLine = /^([A-Za-z_:][\w:]*)[ \t]*(?:\{(.*)\}[ \t]*|[ \t])([^ \t{}]+)(?:[ \t]+-?\d+)?[ \t]*$/;
const labelPair = /[ \t]*([A-Za-z_]\w*)[ \t]*=[ \t]*"((?:[^"\\]|\\.)*)"[ \t]*(,|$)/y;
// No two parts in a row take the same characters: a pod that tells very many of them would hold up everybody.
const number = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const special: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  '+Inf': Number.POSITIVE_INFINITY,
  Inf: Number.POSITIVE_INFINITY,
  '-Inf': Number.NEGATIVE_INFINITY,
};

/** Labels of one sample, at the most: nobody means more, and each is kept. */
const mostLabels = 64;

/**
 * One line of the Prometheus text format, read strictly: what is not a sample as the format has it is no sample.
 *
 * @returns nothing for comments and empty lines
 * @throws {Error} for anything else
 * @see https://github.com/prometheus/docs/blob/main/docs/instrumenting/exposition_formats.md
 */
export function sampleIn(line: string): Sample | undefined {
  if (/^\s*(#|$)/.test(line)) return undefined;
  const [, name = '', labels, value = ''] = sampleLine.exec(line.replace(/\r$/, '')) ?? [];
  if (name === '') throw wrong(line);
  const told = numberIn(value);
  if (told === undefined) throw wrong(line);
  return { name, labels: labelsIn(labels ?? '', line), value: told };
}

/** A value as Prometheus writes it; undefined for what is none. */
export function numberIn(text: string): number | undefined {
  return (Object.hasOwn(special, text) ? special[text] : undefined) ?? (number.test(text) ? Number(text) : undefined);
}

function labelsIn(text: string, line: string): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  let at = 0;
  while (at < text.length) {
    labelPair.lastIndex = at;
    const [whole, label = '', value = ''] = labelPair.exec(text) ?? [];
    if (whole === undefined || labels.has(label)) {
      if (labels.size > 0 && /^[ \t]*$/.test(text.slice(at))) break; // a comma may be the last
      throw wrong(line);
    }
    if (labels.size === mostLabels) throw new Error(`a line has more than ${mostLabels} labels`);
    labels.set(label, unescaped(value));
    at = labelPair.lastIndex;
  }
  return labels;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (whole, char: string) => (char === 'n' ? '\n' : /[\\"]/.test(char) ? char : whole));
}

/** Not the whole line: who tells nonsense may tell a lot of it, or what is secret. */
function wrong(line: string): Error {
  return new Error(`a line is not in the Prometheus text format: ${JSON.stringify(line.slice(0, 40))}`);
}
