import { expect, test } from 'vitest';
import { withGlobalOptionsLast } from '../../../cli/kubectl/global-options.js';

test.each([
  ['status db -n shop', 'status db -n shop'],
  ['-n shop status db', 'status db -n shop'],
  ['--namespace=shop --context work status', 'status --namespace=shop --context work'],
  ['--kubeconfig a --context=b algo watch web', 'algo watch web --kubeconfig a --context=b'],
  ['-n shop diff -f a.yaml -- b', 'diff -f a.yaml -n shop -- b'],
  ['-n shop', '-n shop'],
  ['-n', '-n'],
  ['--help', '--help'],
  ['--version', '--version'],
  ['', ''],
])('reconstruct %s is read as %s', (given, read) => {
  const words = (text: string) => text.split(' ').filter((word) => word !== '');
  expect(withGlobalOptionsLast(words(given))).toEqual(words(read));
});
