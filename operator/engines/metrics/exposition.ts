/** One sample of a metric. */
export interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

const sampleLine = /^([A-Za-z_:][\w:]*)[ \t]*(?:\{(.*)\}[ \t]*|[ \t])([^ \t{}]+)(?:[ \t]+-?\d+)?[ \t]*$/;
const labelPair = /[ \t]*([A-Za-z_]\w*)[ \t]*=[ \t]*"((?:[^"\\]|\\.)*)"[ \t]*(,|$)/y;
// No two adjacent parts match the same characters. Otherwise a long line from one Pod could block the operator.
const number = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const special: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  '+Inf': Number.POSITIVE_INFINITY,
  Inf: Number.POSITIVE_INFINITY,
  '-Inf': Number.NEGATIVE_INFINITY,
};

/** Maximum number of labels of one sample. */
const mostLabels = 64;

/**
 * Parses one line of the Prometheus text format, strictly.
 *
 * @returns undefined for comments and empty lines
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

/** A value in the Prometheus format; undefined if it is invalid. */
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
      if (labels.size > 0 && /^[ \t]*$/.test(text.slice(at))) break; // a trailing comma is valid
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

/** Quotes only the start of the line: the rest may be long, or a secret. */
function wrong(line: string): Error {
  return new Error(`a line is not in the Prometheus text format: ${JSON.stringify(line.slice(0, 40))}`);
}
