/** The API for writing and running controllers. */
export { connectionFrom } from './cluster/connection/connect.js';
export type { Connection } from './cluster/connection/connection.js';
export { type Config, defaults } from './config/config.js';
export { algorithm } from './controllers/algorithm/index.js';
export {
  algorithmControllers,
  certificateControllers,
  controllers,
  databaseControllers,
  kafkaControllers,
  rotationControllers,
  trainingControllers,
} from './controllers/index.js';
export {
  type AllowedAddresses,
  type AllowedAddressesOptions,
  type AllowedRequest,
  type AllowedResponse,
  allowedAddresses,
} from './egress/allowed-addresses.js';
export { configFrom } from './process/flags.js';
export { runOperator } from './process/run-operator.js';
export { type ProcessOptions, runProcess } from './process/run-process.js';
export * from './runtime/index.js';
