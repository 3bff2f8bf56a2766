import { controllerOptions } from '../../options/controller-options.js';
import { withClusterNamespace, withResponder } from './index.js';
import { type ResponderOptions, responderOf } from './ports/responder.js';

/** Issuers depend on the namespace of the operator, and challenges on where it answers them. */
export const certificateOptions = controllerOptions<object, ResponderOptions>(
  {},
  (controllers, options, { namespace }) =>
    withClusterNamespace(namespace, withResponder(responderOf(options), controllers)),
);
