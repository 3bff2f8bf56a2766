import './engine.js'; // before what it is about is loaded
import { imagedFrom } from './controllers/database/imaged.js';
import { controllers } from './controllers/index.js';
import { runProcess } from './run-process.js';
import { servedBy } from './served-by.js';

await runProcess(({ gatewayProxies, postgresRepository }) =>
  imagedFrom(postgresRepository, servedBy(gatewayProxies, controllers)),
);
