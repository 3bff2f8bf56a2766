import { expect, test } from 'vitest';
import { exitMessage } from '../../../operator/pods/exit-message.js';

const frames = '  File "/app/train.py", line 20, in <module>\n    main()\n';
const raised = `Traceback (most recent call last):\n${frames}`;
/** Longer than the message of a fault. */
const noise = 'epoch 1 loss 0.25\n'.repeat(60);

test.each([
  ['ValueError: no such dataset (exit code 1)', 'it raises', `${raised}ValueError: no such dataset\n`],
  ['ValueError: no such dataset (exit code 1)', 'it raises late', `${noise}${raised}ValueError: no such dataset\n`],
  [
    'KeyError: 2 (exit code 1)',
    'it raises while it handles another exception',
    `${raised}IndexError: 1\n\nDuring handling of the above exception, another exception occurred:\n\n${raised}KeyError: 2\n`,
  ],
  ['queue.Empty (exit code 1)', 'the exception has no text', `${raised}queue.Empty\n`],
  [
    'RuntimeError: CUDA error: out of memory (exit code 1)',
    'the exception has several lines',
    `${raised}RuntimeError: CUDA error: out of memory\nCompile with TORCH_USE_CUDA_DSA\n`,
  ],
  ['OSError: full (exit code 1)', 'it says more afterwards', `${raised}OSError: full\nleaked semaphore objects\n`],
  ['OSError: full (exit code 1)', 'the beginning is cut off', `ine 3, in <module>\n${frames}OSError: full\nbye\n`],
  [
    'SyntaxError: invalid syntax (exit code 1)',
    'it cannot be parsed',
    '  File "a.py", line 1\n    )\n    ^\nSyntaxError: invalid syntax\n',
  ],
  [
    'RuntimeError: no peer (exit code 1)',
    'PyTorch names the rank',
    `${raised}RuntimeError: no peer\n`.replaceAll(/^(?=.)/gm, '[rank3]: '),
  ],
  [
    'ValueError: bad (exit code 1)',
    'torchrun reports its child',
    `${raised}ValueError: bad\n${raised}torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n=====\ntrain.py FAILED\n`,
  ],
  [
    'java.io.IOException: disk full (exit code 1)',
    'a JVM raises',
    'Exception in thread "main" java.io.IOException: disk full\n\tat com.example.Clean.main(Clean.java:7)\n',
  ],
  [
    'java.io.IOException: disk full (exit code 1)',
    'an exception of a JVM has a cause',
    'Exception in thread "main" org.apache.spark.SparkException: Job aborted\n\tat a.B.c(B.java:1)\nCaused by: java.io.IOException: disk full\n\tat d.E.f(E.java:2)\n\t... 3 more\n',
  ],
  [
    'ValueError: bad (exit code 1)',
    'Spark reports that its Python program has failed',
    `${raised}ValueError: bad\nException in thread "main" org.apache.spark.SparkUserAppException: User application exited with 1\n\tat org.apache.spark.deploy.PythonRunner$.main(PythonRunner.scala:133)\n`,
  ],
  [
    'org.apache.spark.SparkUserAppException: User application exited with 1 (exit code 1)',
    'Spark reports nothing else',
    'org.apache.spark.SparkUserAppException: User application exited with 1\n\tat a.B.c(B.scala:1)\n26/11/30 12:00:00 INFO ShutdownHookManager: Shutdown hook called\n',
  ],
  [
    'Error: Failed to load class no.Such. (exit code 1)',
    'Spark does not find the class',
    '26/11/30 12:00:00 INFO a\nError: Failed to load class no.Such.\n',
  ],
  ['sh: 1: trian: not found (exit code 1)', 'it is no Python', 'sh: 1: trian: not found\n\n'],
  ['exit code 1', 'it says nothing', '\n'],
  ['exit code 1', 'its output is not known', undefined],
])('a program that has failed is told as %s if %s', (expected, _, output) => {
  expect(exitMessage({ exitCode: 1, output })).toBe(expected);
});

test('the exit code follows however long the exception is', () => {
  const message = exitMessage({ exitCode: 3, output: `${raised}ValueError: ${'x'.repeat(5_000)}\n` });
  expect(message).toMatch(/^ValueError: x+ \(exit code 3\)$/);
  expect(message.length).toBeLessThanOrEqual(512);
});
