/** How a program ended: its exit code, and what it wrote last. */
export interface Exit {
  /** Negative for a signal, as Python has it. Above 128, it is that of a signal too. */
  readonly exitCode: number;
  /** The end of its output. */
  readonly output?: string | undefined;
}

/** Characters of a line. The exit code follows, and both fit into the message of a fault. */
const longestLine = 440;

/**
 * How a program ended, as one line: the exception of its last traceback, or what it wrote last, and then the exit code. The
 * beginning of the output, often a list of stack frames, is left out.
 */
export function exitMessage({ exitCode, output = '' }: Exit): string {
  const line = exceptionIn(output);
  return line === undefined ? `exit code ${exitCode}` : `${line.slice(0, longestLine)} (exit code ${exitCode})`;
}

const traceback = 'Traceback (most recent call last):';
/** Before each line of a rank in newer versions of PyTorch. */
const ofRank = /^\[rank\d+\]: ?/;
/** An exception with its module, also of a traceback whose beginning is not there. */
const exception = /^[A-Za-z_][\w.]*(?:Error|Exception|Interrupt|Exit|Iteration|Warning)(?::|$)/;
/** What torchrun and Spark raise because a process of them has failed. */
const ofChild = /ChildFailedError|SparkUserAppException/;
/** Before an exception of a JVM. */
const ofThread = /^(Exception in thread "[^"]*"|Caused by:) /;

/** The line that says what went wrong. Undefined if there is no output. */
function exceptionIn(output: string): string | undefined {
  const lines = output.split(/\r?\n/).map((line) => line.replace(ofRank, '').replace(ofThread, '').trimEnd());
  const raised = lines.flatMap((line, index) =>
    line === traceback ? (raisedAfter(lines.slice(index + 1)) ?? []) : [],
  );
  const named = lines.filter((line) => exception.test(line));
  const isCause = (line: string) => !ofChild.test(line);
  return (
    raised.findLast(isCause) ??
    named.findLast(isCause) ??
    raised.at(-1) ??
    named.at(-1) ??
    lines.findLast((line) => line !== '')?.trim()
  );
}

/** The first line after the frames of a traceback, which are indented. */
function raisedAfter(lines: readonly string[]): string | undefined {
  return lines.find((line) => line !== '' && !/^\s/.test(line));
}
