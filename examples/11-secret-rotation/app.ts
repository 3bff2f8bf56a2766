import { App, Chart } from 'cdk8s';
import { Orders } from './orders.js';

const app = new App();
const chart = new Chart(app, 'orders', { namespace: 'shop' });
new Orders(chart, 'orders-app', { database: 'orders', image: 'registry.example.com/orders:1.0.0' });
app.synth();
