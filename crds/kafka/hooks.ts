import { caBundle, httpsUrl } from '../certificates/webhook.js';
import { objectName } from '../names.js';
import { duration, object } from '../schema/index.js';

const http = object('HTTP request. The hook has succeeded when the server answers with a status from 200 to 299.', {
  url: httpsUrl(
    'URL that gets a POST request with a JSON document. The operator must allow its host.',
    'https://hooks.example.com/kafka',
  ),
  caBundle,
  secretRef: object(
    'Secret with the key `token`, which the operator sends as a bearer token. Defaults to none.',
    { name: objectName('Name of the Secret.') },
    { optional: true },
  ),
});

const hook = (description: string) => object(description, { http }, { optional: true });

/** `spec.hooks`. */
export const hooks = object(
  'Actions before and after the operator restarts a broker. They delay the rollout and never cancel it. Defaults to none.',
  {
    preRestart: hook('Action before a broker is restarted. Defaults to none.'),
    postRestart: hook(
      'Action after a restarted broker serves, and before the next node is replaced. Defaults to none.',
    ),
    deadline: duration(
      'Time that each action has. After it, the rollout continues, and an event reports it. Defaults to 10m.',
      {
        minimum: '1s',
        maximum: '7d',
        default: '10m',
      },
    ),
  },
  { optional: true },
);
