import './engine.js'; // before what it is about is loaded
import { controllers } from './controllers/index.js';
import { runProcess } from './run-process.js';

await runProcess(controllers);
