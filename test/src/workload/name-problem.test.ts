import { describe, expect, it } from 'vitest';
import { nameProblem } from '../../../src/workload/name-problem.js';

describe('the name of a resource', () => {
  it.each(['a', 'clean', 'a-1', 'abcde'])('can be %s', (name) => {
    expect(nameProblem(name, 5)).toEqual([]);
  });

  it.each(['', 'abcdef', '1a', '-a', 'a-', 'A', 'a.b', 'a_b', 'a\n'])('cannot be %j', (name) => {
    const requirement =
      'must have up to 5 lower-case letters, digits and -, starting with a letter; set name to such a label';
    expect(nameProblem(name, 5)).toEqual([`name: Invalid value: ${JSON.stringify(name)}: ${requirement}`]);
  });
});
