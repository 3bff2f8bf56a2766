import './process/v8-flags.js'; // before the modules that it affects are loaded
import { configuredControllers } from './controllers/configured.js';
import { controllers } from './controllers/index.js';
import { runProcess } from './process/run-process.js';

await runProcess((config, place) => configuredControllers(config, place, controllers));
