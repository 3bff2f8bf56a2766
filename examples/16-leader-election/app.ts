import { App, Chart } from 'cdk8s';
import { Cache } from './cache.js';

const app = new App();
const chart = new Chart(app, 'cache', { namespace: 'shop' });
new Cache(chart, 'cache', { image: 'redis:7.4', replicas: 3 });
app.synth();
