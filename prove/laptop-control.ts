import { SignatureV4 } from '@smithy/signature-v4';

import { NodeSha256 } from '../cli/restore/signature-authorizer';
import { type AccessKey } from '../contract/local-run';
import { DeploymentFailed } from '../probes/system';

/** The caller's access to the laptop's endpoint now. */
export interface LaptopAccess {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: AccessKey;
  /** How far the run's clock is ahead, in milliseconds. */
  readonly systemClockOffset: number;
}

/**
 * Calls `POST /_local/NAME` of a laptop system.
 * @throws {DeploymentFailed} if a stack was refused or rolled back
 * @throws {Error} with the name of AWS's error, if the call was refused
 * @see docs/local-aws.md
 */
export async function callLaptop(access: LaptopAccess, name: string, input: object): Promise<unknown> {
  const { endpoint, region, credentials, systemClockOffset } = access;
  const url = new URL(`/_local/${name}`, endpoint);
  const body = JSON.stringify(input);
  const signer = new SignatureV4({ service: 'latchkey-local', region, credentials, sha256: NodeSha256 });
  const { headers } = await signer.sign(
    {
      ...{ method: 'POST', protocol: url.protocol, hostname: url.hostname, port: Number(url.port), body },
      ...{ path: url.pathname, headers: { host: url.host, 'content-type': 'application/json' } },
    },
    { signingDate: new Date(Date.now() + systemClockOffset) },
  );
  const answer = await fetch(url, { method: 'POST', headers, body });
  const document = (await answer.json()) as { __type?: string; message?: string; status?: string };
  if (answer.ok) return document;
  const { __type: error = 'UnknownError', message = `status ${answer.status}`, status } = document;
  if (error === 'DeploymentFailed' || error === 'ValidationError')
    throw new DeploymentFailed(message, status);
  throw Object.assign(new Error(message), { name: error });
}
