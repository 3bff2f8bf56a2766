import { stringifyYaml } from '../../../operator/yaml/stringify-yaml.js';
import type { Json, JsonMap } from '../logic/tree.js';
import type { DocumentedValue } from './value.js';

/** A group of values, such as `crds`, and its values by their names without it. */
interface Group {
  readonly name: string;
  readonly members: readonly DocumentedValue[];
}

/** The values in their order, with those of a group together. A value without a group is one alone. */
function groupsOf(values: readonly DocumentedValue[]): readonly Group[] {
  const names = [...new Set(values.map(({ name }) => name.split('.')[0] ?? ''))];
  return names.map((name) => ({ name, members: values.filter((value) => value.name.split('.')[0] === name) }));
}

/** `values.yaml`: each value below a comment on what it is for. */
export function valuesYaml(values: readonly DocumentedValue[]): string {
  const parts = groupsOf(values).map(({ name, members }) => {
    const [only] = members;
    if (members.length === 1 && only?.name === name) return entryOf(only, name, '');
    return [`${name}:`, ...members.map((member) => entryOf(member, member.name.slice(name.length + 1), '  '))].join(
      '\n',
    );
  });
  return `${parts.join('\n\n')}\n`;
}

function entryOf({ about, default: value }: DocumentedValue, key: string, pad: string): string {
  const yaml = stringifyYaml({ [key]: value }).trimEnd();
  return [...wrapped(about, 116 - pad.length).map((line) => `# ${line}`), ...yaml.split('\n')]
    .map((line) => pad + line)
    .join('\n');
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** `values.schema.json`. A misspelled value is an error, and so is one that was deleted by `null`. */
export function valuesSchema(values: readonly DocumentedValue[]): JsonMap {
  const groups = groupsOf(values).map(({ name, members }): [string, JsonMap] => {
    const [only] = members;
    if (members.length === 1 && only?.name === name) return [name, described(only)];
    return [name, closed(members.map((member) => [member.name.slice(name.length + 1), described(member)]))];
  });
  const { properties, ...rest } = closed(groups);
  // Helm passes the values `global` to a chart that another chart includes.
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...rest,
    properties: { ...(properties as JsonMap), global: { type: 'object' } },
  };
}

function closed(properties: readonly (readonly [string, Json])[]): JsonMap {
  return {
    type: 'object',
    additionalProperties: false,
    required: properties.map(([name]) => name),
    properties: Object.fromEntries(properties),
  };
}

function described({ about, schema }: DocumentedValue): JsonMap {
  return { description: about, ...schema };
}
