import { connectionFrom } from '../cluster/connection/connect.js';
import type { Connection } from '../cluster/connection/connection.js';
import type { Config } from '../config/config.js';
import type { Controller } from '../runtime/controller/controller.js';
import { messageOf } from '../runtime/kubernetes/errors.js';
import type { Provided } from '../runtime/ports/external-port.js';
import { configFrom, optionsHelp } from './flags.js';
import { runOperator } from './run-operator.js';
import { stopSignal } from './stop-signal.js';

/** The options of `runProcess`. */
export interface ProcessOptions {
  /** Sources of the ports that the controllers poll and call. They may depend on the options. @default [] */
  readonly ports?: readonly Provided[] | ((config: Config) => readonly Provided[]);
}

/**
 * Runs an operator as a process. Its options are flags and environment variables, and `--help` lists them. SIGTERM and
 * SIGINT stop it gracefully. A start that fails prints an error without a stack and exits with code 1.
 *
 * @param controllers may depend on the options, and on the namespace of the operator
 * @example await runProcess([website]);
 */
export async function runProcess(
  controllers:
    | readonly Controller[]
    | ((config: Config, connection: Pick<Connection, 'namespace'>) => readonly Controller[]),
  { ports = [] }: ProcessOptions = {},
): Promise<void> {
  const argv = process.argv.slice(2);
  if (argv.includes('--help')) {
    console.log(`usage: operator [options]\n\n${optionsHelp()}`);
    return;
  }
  try {
    const config = configFrom(argv, process.env);
    const provided = typeof ports === 'function' ? ports(config) : ports;
    const connection = await connectionFrom(process.env);
    const running = typeof controllers === 'function' ? controllers(config, connection) : controllers;
    await runOperator(running, { ports: provided, config, connection, signal: stopSignal('SIGTERM', 'SIGINT') });
  } catch (error) {
    console.error(`operator: ${messageOf(error)}`);
    process.exitCode = 1;
  }
}
