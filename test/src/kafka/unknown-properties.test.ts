import { expect, test } from 'vitest';
import { kafkaProblems } from '../../../src/index.js';
import { dynamicNames } from '../../../src/kafka/config/dynamic-properties.js';
import { unknownProperties } from '../../../src/kafka/config/property-names.js';
import { specOf } from './given-cluster.js';

const problem = (name: string, version = '4.4', tag = '4.4.0') =>
  `spec.config[${name}]: Invalid value: "1": must be the value of a property of Kafka ${version}; correct the name, or use an image with the plug-in that reads it and another tag than ${tag}`;

test.each([
  { name: 'no.such.property', spec: {}, problems: [problem('no.such.property')] },
  { name: 'retention.ms', spec: {}, problems: [problem('retention.ms')] },
  {
    name: 'max.decompressed.message.bytes',
    spec: { version: '4.3' },
    problems: [problem('max.decompressed.message.bytes', '4.3', '4.3.1')],
  },
  { name: 'max.decompressed.message.bytes', spec: {}, problems: [] },
  { name: 'log.retention.ms', spec: {}, problems: [] },
  { name: 'rsm.config.bucket', spec: {}, problems: [] },
  {
    name: 'no.such.property',
    spec: { image: 'registry.example.com/kafka:4.4.0' },
    problems: [problem('no.such.property')],
  },
  { name: 'plugin.property', spec: { image: 'registry.example.com/kafka:4.4.0-plugin' }, problems: [] },
])('the property $name of $spec has the problems $problems', ({ name, spec, problems }) => {
  expect(kafkaProblems(specOf({ ...spec, config: { [name]: '1' } }))).toEqual(problems);
});

test.each(['4.3', '4.4'] as const)('a node of %s knows each property that it applies without a restart', (version) => {
  const problems = [...dynamicNames[version]].flatMap((name) =>
    unknownProperties({ version, config: { [name]: '1' } }),
  );
  expect(problems).toEqual([]);
});
