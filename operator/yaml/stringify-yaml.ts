import { Document, Scalar, visit } from 'yaml';
import { plainScalar } from './plain-scalar.js';

/** Settings of a text. */
export interface YamlOptions {
  /** Whether keys are sorted. @default false */
  readonly sortKeys?: boolean;
}

/**
 * A JSON value as YAML that kubectl, and other parsers of YAML 1.1 and 1.2, read as the same value. Strings that one of
 * them reads as another value are in quotes.
 */
export function stringifyYaml(value: unknown, { sortKeys = false }: YamlOptions = {}): string {
  const document = new Document(value, {
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
    sortMapEntries: sortKeys,
  });
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && needsQuotes(node.value)) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document.toString({ lineWidth: 0 }).replace(unprintable, escaped);
}

/** Characters that go-yaml rejects or takes as line breaks. They occur only in double quotes, as `needsQuotes` asks. */
const unprintable = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Whether a parser of YAML 1.1 or 1.2 would read the unquoted text as another value. White space at the start makes the
 * indentation of a text of several lines ambiguous.
 */
function needsQuotes(text: string): boolean {
  return (
    /^\s/.test(text) || plainScalar(text) !== text || text === '=' || text === '<<' || text.search(unprintable) >= 0
  );
}
