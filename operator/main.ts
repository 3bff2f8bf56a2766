import './process/v8-flags.js'; // before the modules that it affects are loaded
import { withClusterNamespace, withResponder } from './controllers/certificates/index.js';
import { withImageRepository } from './controllers/database/image-repository.js';
import { controllers } from './controllers/index.js';
import { responderOf } from './process/acme.js';
import { withProxySettings } from './process/proxy-settings.js';
import { runProcess } from './process/run-process.js';

await runProcess((config, { namespace }) =>
  withClusterNamespace(
    namespace,
    withResponder(
      responderOf(config),
      withImageRepository(config.postgresRepository, withProxySettings(config, controllers)),
    ),
  ),
);
