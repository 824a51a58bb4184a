import { type System } from '../cli/system';
import { type AccessKey } from '../contract/local-run';
import { sendHttpsTrusting } from '../lambdas/shared/adapters/https-client';
import { type Place } from '../probes/system';
import { type Ports } from './ports';
import { LaptopStacks } from './stacks/laptop-stacks';
import { laptopTime } from './time';

/** A running laptop system, which stands for an account. */
interface LaptopOptions {
  readonly place: Place;
  /** The run's. */
  readonly prefix: string;
  /** Of its AWS services. */
  readonly endpoint: string;
  readonly credentials: AccessKey;
  /** Of the administrator, who alone moves the clock. @default `credentials` */
  readonly clockCredentials?: AccessKey;
  readonly clockAheadMs: number;
  /** Of its API Gateway. */
  readonly apiOrigin: string;
  /** PEM of the certificates to trust. */
  readonly ca: string;
  /** For the run's files. */
  readonly folder: string;
  readonly synthesize: Ports['synthesize'];
}

export function laptopPorts(options: LaptopOptions): Ports {
  const { place, prefix, endpoint, credentials, ca, apiOrigin, folder, synthesize } = options;
  const configAt = (systemClockOffset: number) => ({
    ...{ region: place.region, credentials, endpoint, systemClockOffset, maxAttempts: 5 },
  });
  let config = configAt(options.clockAheadMs);
  const access = () => config;
  return {
    place: { ...place, endpoint },
    clientConfig: access,
    time: laptopTime(
      () => ({ ...config, credentials: options.clockCredentials ?? credentials }),
      (sec) => (config = configAt(config.systemClockOffset + sec * 1000)),
    ),
    stacks: new LaptopStacks({ access, assembly: { parentDir: folder, place, prefix } }),
    synthesize,
    sendRequest: toLocalGateway(apiOrigin, ca),
  };
}

/** Sends requests for REST APIs on AWS to the laptop's API Gateway, which tells them apart by their `Host`. */
function toLocalGateway(apiOrigin: string, ca: string): System['sendRequest'] {
  const send = sendHttpsTrusting(ca, 'localhost');
  return (request) => {
    const { host, pathname, search } = request.url;
    return send({
      ...request,
      url: new URL(pathname + search, apiOrigin),
      headers: { ...request.headers, host },
    });
  };
}
