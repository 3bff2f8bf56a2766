import './process/v8-flags.js'; // before the modules that it affects are loaded
import { withImageRepository } from './controllers/database/image-repository.js';
import { controllers } from './controllers/index.js';
import { withProxyWorkload } from './process/proxy-workload.js';
import { runProcess } from './process/run-process.js';

await runProcess(({ gatewayProxies, postgresRepository }) =>
  withImageRepository(postgresRepository, withProxyWorkload(gatewayProxies, controllers)),
);
