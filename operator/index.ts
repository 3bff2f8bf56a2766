/** What an author of controllers imports: to write them, and to run them. */
export { connectionFrom } from './cluster/connect.js';
export type { Connection } from './cluster/connection.js';
export { type Config, configFrom, defaults } from './config.js';
export { algorithm } from './controllers/algorithm/index.js';
export { algorithmControllers, controllers, databaseControllers } from './controllers/index.js';
export { runOperator } from './run-operator.js';
export { runProcess } from './run-process.js';
export * from './runtime/index.js';
