import { App, Chart } from 'cdk8s';
import { Site } from './site.js';

const app = new App();
const chart = new Chart(app, 'site', { namespace: 'shop' });
new Site(chart, 'shop', { host: 'shop.example.com', image: 'registry.example.com/shop:1.0.0' });
app.synth();
