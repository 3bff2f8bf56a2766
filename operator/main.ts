import './process/v8-flags.js'; // before the modules that it affects are loaded
import { withClusterNamespace, withResponder } from './controllers/certificates/index.js';
import { withImageRepositories } from './controllers/image-repositories.js';
import { controllers } from './controllers/index.js';
import { responderOf } from './engines/acme/http-responder.js';
import { withProxySettings } from './process/proxy-settings.js';
import { runProcess } from './process/run-process.js';

await runProcess((config, { namespace }) =>
  withClusterNamespace(
    namespace,
    withResponder(responderOf(config), withImageRepositories(config, withProxySettings(config, controllers))),
  ),
);
