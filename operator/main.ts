import './engine.js'; // before what it is about is loaded
import { untilAskedToStop } from './asked-to-stop.js';
import { connectionFrom } from './cluster/connect.js';
import { configFrom, describeOptions } from './config.js';
import { controllers } from './controllers/index.js';
import { runOperator } from './run-operator.js';
import { messageOf } from './runtime/errors.js';

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
  await runOperator(controllers, { config, connection, signal: untilAskedToStop('SIGTERM', 'SIGINT') });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(`operator: ${messageOf(error)}`);
  process.exitCode = 1;
});
