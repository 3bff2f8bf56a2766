import './engine.js'; // before what it is about is loaded
import { connectionFrom } from './cluster/connect.js';
import { configFrom, describeOptions } from './config.js';
import { controllers } from './controllers/index.js';
import { runOperator } from './run-operator.js';
import { messageOf } from './runtime/errors.js';

/** The first signal ends it in order, a second one at once. */
function untilAskedToStop(): AbortSignal {
  const asked = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => {
      if (asked.signal.aborted) process.exit(1);
      asked.abort();
    });
  }
  return asked.signal;
}

async function main(argv: readonly string[]): Promise<void> {
  if (argv.includes('--help')) {
    const lines = describeOptions().map(({ meaning, ...option }) => {
      const set = `${option.flag}  (${option.variable}${option.default && `, default ${option.default}`})`;
      return `  ${set}\n      ${meaning.replaceAll('`', '')}`;
    });
    console.log(`usage: operator [options]\n\n${lines.join('\n')}`);
    return;
  }
  const config = configFrom(argv, process.env);
  const connection = await connectionFrom(process.env);
  await runOperator(controllers, { config, connection, signal: untilAskedToStop() });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`operator: ${messageOf(error)}`);
  process.exitCode = 1;
});
