import './engine.js'; // before what it is about is loaded
import { imagedFrom } from './controllers/database/imaged.js';
import { controllers } from './controllers/index.js';
import { runProcess } from './run-process.js';

await runProcess(({ postgresRepository }) => imagedFrom(postgresRepository, controllers));
