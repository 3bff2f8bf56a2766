import { Command, InvalidArgumentError } from 'commander';
import { sparkJobKind } from '../../imports/index.js';
import { systemClock } from '../../operator/runtime/ports/clock.js';
import { sparkPorts } from '../../src/index.js';
import { resourceArgument } from '../cluster/resource-argument.js';
import { endsInTrouble } from '../output/exit-code.js';
import { inCluster, type PlaceOptions, placedCommand } from '../status/placed-command.js';
import { attemptsView } from './attempts-view.js';
import { writeDriverLog } from './driver-log.js';
import { forwardDriverPage } from './driver-page.js';
import { driverOf, runningDriver, sparkJobNamed, type WantedAttempt } from './resources.js';

/** `reconstruct spark VERB NAME`: shows the attempts, the logs and the page of SparkJobs. */
export function sparkCommand(): Command {
  return new Command('spark')
    .description('show the attempts, the logs and the page of SparkJobs')
    .exitOverride(endsInTrouble)
    .addCommand(attemptsCommand())
    .addCommand(logsCommand())
    .addCommand(uiCommand());
}

function attemptsCommand(): Command {
  return placedCommand('attempts', 'list the attempts of a job, and why they ended')
    .addArgument(resourceArgument(sparkJobKind))
    .action((name: string, options: PlaceOptions) =>
      inCluster(options, async (cluster, namespace) => {
        const job = await sparkJobNamed(cluster, { namespace, name });
        console.log(attemptsView(job, systemClock.now()).join('\n'));
        return 0;
      }),
    );
}

interface LogsOptions extends PlaceOptions, WantedAttempt {
  readonly follow?: boolean;
}

function logsCommand(): Command {
  return placedCommand('logs', 'print the log of a driver')
    .addArgument(resourceArgument(sparkJobKind))
    .option('--attempt <number>', 'number of the attempt (default: the newest one with a driver)', counted)
    .option('--run <number>', 'number of the run, which an edit begins (default: that of the newest driver)', counted)
    .option('-f, --follow', 'wait for more until the driver ends')
    .action((name: string, { run, attempt, follow = false, ...options }: LogsOptions) =>
      inCluster(options, async (cluster, namespace, { transport }) => {
        const job = await sparkJobNamed(cluster, { namespace, name });
        const pod = { namespace, name: driverOf(job, { run, attempt }) };
        await writeDriverLog(pod, { follow, transport, write: (piece) => process.stdout.write(piece) });
        return 0;
      }),
    );
}

interface UiOptions extends PlaceOptions {
  readonly port: number;
}

function uiCommand(): Command {
  return placedCommand('ui', 'forward a local port to the page of the driver that runs, through kubectl')
    .addArgument(resourceArgument(sparkJobKind))
    .option('--port <number>', 'port of this machine', portNumber, sparkPorts.ui)
    .action((name: string, { port, ...options }: UiOptions) =>
      inCluster(options, async (cluster, namespace) => {
        const job = await sparkJobNamed(cluster, { namespace, name });
        const print = (line: string) => console.log(line);
        return forwardDriverPage({ namespace, name: runningDriver(job) }, { access: options, port, print });
      }),
    );
}

function counted(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('must be a number from 1');
  return Number(text);
}

function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new InvalidArgumentError('must be a port from 1 to 65535');
  return port;
}
