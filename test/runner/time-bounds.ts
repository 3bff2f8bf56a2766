import { type Source, withoutComments } from '../sources.js';

/** Milliseconds that only a hang needs, whatever else the machine does. */
const hang = 60_000;

/** Files of unit and integration tests, and what they share. */
const tests = /^test\/(?!(bench|chaos|e2e|kills|soak|upgrade)\/(?!.*\.test\.ts$)).*(?<!\.(engine|consumer)\.test)\.ts$/;

const deadline = 'it serves engine tests, and gives a question or a call a deadline as the runtime does';

/** Why a file may do what is listed, by its path. */
const allowed: Readonly<Record<string, string>> = {
  'test/operator/testing/faults/fault-proxy.integration.test.ts':
    'a delay is a least time, which load does not shorten; and a client gives up after 50 ms of a delay of a second',
  'test/images/postgres/rotated-in-memory.ts': deadline,
  'test/operator/engines/etcd/given-etcd.ts': deadline,
  'test/operator/engines/kafka/given-engine.ts': deadline,
  'test/operator/engines/leader/confirmed-writes.ts': deadline,
  'test/operator/engines/leader/local-candidate.ts': deadline,
  'test/operator/engines/leader/local-election.ts': deadline,
};

/** @returns the places where a test fails because the machine is slow */
export function timeBounds({ path, text }: Source): readonly string[] {
  return path in allowed ? [] : boundsIn({ path, text });
}

function boundsIn({ path, text }: Source): readonly string[] {
  if (!tests.test(path)) return [];
  const code = withoutComments(text);
  return [
    ...comparedTimes(code).map((what) => `${path} compares the time that something took: ${what}`),
    ...shortWaits(code).map((what) => `${path} waits less than a minute: ${what}`),
    ...shortSignals(code).map((what) => `${path} gives up within a minute: ${what}`),
  ];
}

/** The difference of two readings of a clock. A literal before or after a reading is a moment. */
const elapsed = /\b(?:performance|Date)\.now\(\)\s*-\s*(?![\d_]+\b)(?:\w|\()/;

function comparedTimes(code: string): readonly string[] {
  const names = [...code.matchAll(/\bconst (\w+) = ([^;]*)/g)].filter(([, , value = '']) => elapsed.test(value));
  const isElapsed = (text: string) =>
    elapsed.test(text) || names.some(([, name]) => new RegExp(`\\b${name}\\b`).test(text));
  const expected = callsOf(code, /\bexpect\(/g).filter(isElapsed);
  const compared = [...code.matchAll(/\b(?:performance|Date)\.now\(\)\s*-\s*\w+\s*<=?\s*([\d_]+)/g)];
  return [...expected, ...compared.filter(([, number = '']) => millisOf(number) < hang).map(([whole]) => whole)];
}

/** `vi.waitFor` and `vi.waitUntil` wait a second by default, and `expect.poll` two minutes in this project. */
function shortWaits(code: string): readonly string[] {
  const waits = callsOf(code, /\bvi\.wait(?:For|Until)\(/g).filter(
    (call) => !/\btimeout\b|,\s*\w+,?\s*\)$/.test(call) || isShort(call),
  );
  return [...waits, ...callsOf(code, /\.poll\(/g).filter(isShort)];
}

const isShort = (call: string) =>
  [...call.matchAll(/(?:\btimeout: |,\s*)([\d_]+)(?=\s*[,})])/g)].some(
    ([whole, number = '']) => (whole.includes('timeout') || call.endsWith(`${number})`)) && millisOf(number) < hang,
  );

function shortSignals(code: string): readonly string[] {
  return [...code.matchAll(/\bAbortSignal\.timeout\(([\d_]+)\)/g)]
    .filter(([, number = '']) => millisOf(number) < hang)
    .map(([whole]) => whole);
}

const millisOf = (literal: string) => Number(literal.replaceAll('_', ''));

/** The calls that begin so, up to their last parenthesis. */
function callsOf(code: string, start: RegExp): readonly string[] {
  return [...code.matchAll(start)].map(({ index, 0: { length } }) => {
    let depth = 1;
    let end = index + length;
    for (; depth > 0 && end < code.length; end++) depth += code[end] === '(' ? 1 : code[end] === ')' ? -1 : 0;
    return code.slice(index, end).replaceAll(/\s+/g, ' ');
  });
}

/** @returns the files that may do what is listed, and do not */
export function unusedPermissions(sources: readonly Source[]): readonly string[] {
  const needing = new Set(sources.filter((source) => boundsIn(source).length > 0).map(({ path }) => path));
  return Object.keys(allowed).filter((path) => !needing.has(path));
}
