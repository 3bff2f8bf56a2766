import { Command } from 'commander';
import type { LogLevel } from '../operator/config/log-level.js';
import { configFrom, optionsHelp } from '../operator/process/flags.js';
import { runOperator } from '../operator/process/run-operator.js';
import { stopSignal } from '../operator/process/stop-signal.js';
import type { Log } from '../operator/runtime/ports/telemetry.js';
import { jsonLog } from '../operator/telemetry/log.js';
import { textLog } from '../operator/telemetry/text-log.js';
import { withWriteLog } from '../operator/telemetry/write-log.js';
import { type AccessOptions, withAccessOptions } from './cluster/access-options.js';
import { connectionAt } from './cluster/cluster-access.js';
import { controllersIn } from './controllers/loaded-controllers.js';
import { preflight } from './run/preflight.js';

interface RunOptions extends AccessOptions {
  readonly logFormat?: string;
}

const formats = ['text', 'json'];

/** By default no ports are opened, because on a development machine another process may already use them. */
const quiet = { RECONSTRUCT_METRICS_PORT: '0', RECONSTRUCT_HEALTH_PORT: '0' };

/** `reconstruct run [MODULE]`: runs controllers on this machine. */
export function runCommand(): Command {
  const command = new Command('run')
    .description('run the controllers that an ES module exports on this machine until Ctrl-C')
    .argument('[module]', 'ES module that exports controllers (default: those of this package)')
    .argument('[options...]', 'options of the operator, listed below');
  return withAccessOptions(command)
    .option('--log-format <format>', `${formats.join(' or ')} (default: text on a terminal)`)
    .allowUnknownOption()
    .addHelpText('after', `\nOptions of the operator (port 0 disables the endpoint):\n${optionsHelp(quiet)}`)
    .action(async (_module: unknown, _options: unknown, own: RunOptions, { args }: Command) => {
      const isModule = args[0] !== undefined && !args[0].startsWith('-');
      await run(isModule ? args[0] : undefined, isModule ? args.slice(1) : args, own);
    });
}

async function run(module: string | undefined, argv: readonly string[], own: RunOptions): Promise<void> {
  const config = configFrom(argv, { ...quiet, ...process.env });
  const log = logIn(own.logFormat, config.logLevel);
  const { controllers } = await controllersIn(module);
  const connection = await connectionAt(own);
  const { unanswered: error, missing } = await preflight(config.namespaces, connection);
  if (error !== undefined) log.warn({ server: connection.origin, error }, 'API server does not answer, retrying');
  for (const namespace of missing) log.warn({ namespace }, 'Namespace not found, waiting until it is created');
  const through = (cluster: Parameters<typeof withWriteLog>[0]) => withWriteLog(cluster, log, 'info');
  await runOperator(controllers, {
    config,
    connection,
    signal: stopSignal('SIGINT', 'SIGTERM', 'SIGHUP'),
    log,
    through,
  });
}

function logIn(format = process.stdout.isTTY ? 'text' : 'json', level: LogLevel): Log {
  if (!formats.includes(format))
    throw new Error(`--log-format: Invalid value: ${JSON.stringify(format)}: must be ${formats.join(' or ')}`);
  if (format === 'json') return jsonLog(level);
  const isColoured = process.stdout.isTTY === true && !process.env['NO_COLOR'];
  return textLog({ level, isColoured, write: (line) => process.stdout.write(line), now: () => Date.now() });
}
