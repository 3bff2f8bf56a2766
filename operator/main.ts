import './process/v8-flags.js'; // before the modules that it affects are loaded
import { withClusterNamespace } from './controllers/certificates/index.js';
import { withImageRepository } from './controllers/database/image-repository.js';
import { controllers } from './controllers/index.js';
import { withProxySettings } from './process/proxy-settings.js';
import { runProcess } from './process/run-process.js';

await runProcess((config, { namespace }) =>
  withClusterNamespace(
    namespace,
    withImageRepository(config.postgresRepository, withProxySettings(config, controllers)),
  ),
);
