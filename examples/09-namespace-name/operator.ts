import { runProcess } from 'cdk8s-reconstruct/operator';
import { nameService } from '../08-name-record/client.js';
import { namespaceName } from './controller.js';

const { NAME_SERVICE = 'http://localhost:8053', NAME_SERVICE_TOKEN } = process.env;

await runProcess([namespaceName], { ports: [nameService(NAME_SERVICE, NAME_SERVICE_TOKEN)] });
