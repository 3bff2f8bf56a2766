import { imageIn, type ProxyWorkload, proxyImage } from '../../../src/index.js';
import { controllerOptions } from '../../options/controller-options.js';
import { resourceListIn } from '../../options/resource-list.js';
import { amounts, oneOf } from '../../options/values.js';
import { gateway, gatewayServedBy } from './index.js';

/** The options of the proxies of Gateways. */
export interface ProxyOptions {
  /** The workload that runs the proxies of Gateways of this package's class. */
  readonly gatewayProxies: ProxyWorkload;
  /** Requests of a proxy, such as `cpu=100m,memory=128Mi`. Empty for the defaults. */
  readonly proxyRequests: string;
  /** Limits of a proxy, such as `cpu=2,memory=512Mi`. Empty for the defaults. */
  readonly proxyLimits: string;
}

/**
 * The workload and the resources of the proxies of Gateways, and the registry of their image.
 * @throws {Error} if a request is above its limit
 */
export const gatewayOptions = controllerOptions<ProxyOptions, ProxyOptions & { readonly imageRegistry: string }>(
  {
    gatewayProxies: {
      meaning:
        'Workload that runs the proxies of its Gateways: a Deployment with two pods, or a DaemonSet with one pod on each node for the traffic from that node, which requires Kubernetes 1.34',
      read: oneOf<ProxyWorkload>({ Deployment: 'Deployment', DaemonSet: 'DaemonSet' }),
      default: 'Deployment',
    },
    proxyRequests: {
      meaning: 'Requests of a proxy, such as `cpu=200m,memory=256Mi`; by default `cpu=100m,memory=128Mi`',
      read: amounts,
      default: '',
    },
    proxyLimits: {
      meaning:
        'Limits of a proxy, such as `cpu=4,memory=1Gi`; by default `cpu=2,memory=512Mi`, or the requests if these are higher',
      read: amounts,
      default: '',
    },
  },
  (controllers, { gatewayProxies: workload, proxyRequests, proxyLimits, imageRegistry }) => {
    const resources = { requests: resourceListIn(proxyRequests), limits: resourceListIn(proxyLimits) };
    const configured = gatewayServedBy({ workload, resources, image: imageIn(imageRegistry, proxyImage) });
    return controllers.map((controller) => (controller === gateway ? configured : controller));
  },
);
