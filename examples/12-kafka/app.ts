import { App, Chart } from 'cdk8s';
import { Invoices } from './invoices.js';

const app = new App();
const chart = new Chart(app, 'invoices', { namespace: 'shop' });
new Invoices(chart, 'invoices', { cluster: 'events', image: 'registry.example.com/invoices:1.0.0' });
app.synth();
