import { runProcess } from 'cdk8s-reconstruct/operator';
import { nameService } from './client.js';
import { nameRecord } from './controller.js';

const { NAME_SERVICE = 'http://localhost:8053', NAME_SERVICE_TOKEN } = process.env;

await runProcess([nameRecord], { ports: [nameService(NAME_SERVICE, NAME_SERVICE_TOKEN)] });
