import { runProcess } from 'cdk8s-reconstruct/operator';
import { mailbox } from './controller.js';

await runProcess([mailbox]);
