import { type IncomingMessage } from 'node:http';
import { type Account, type Outage } from '../account';
import { type Principal } from '../iam/principal';
import { AwsError } from './aws-error';

/** A request that does not arrive, because its region is cut off. */
export class CutOff extends Error {
  readonly #outage: Outage;

  constructor(outage: Outage) {
    super('the region is cut off');
    this.#outage = outage;
  }

  /** Breaks the connection, or leaves the client waiting. */
  meet({ socket }: IncomingMessage): void {
    if (this.#outage.meets === 'broken') socket.destroy();
  }
}

/**
 * Functions of the region may still reach it.
 * @throws {CutOff | AwsError} if the account's region is cut off from the caller
 */
export function refuseCutOff({ home, region, functions }: Account, principal: Principal): void {
  const outage = home.outages.get(region);
  if (outage === undefined) return;
  const isFunction =
    principal.kind === 'role-session' &&
    [...functions.values()].some(({ roleArn }) => roleArn === principal.roleArn);
  if (isFunction && outage.functions === 'go-on') return;
  if (outage.meets !== 'unavailable') throw new CutOff(outage);
  throw new AwsError('ServiceUnavailable', `${region} is cut off by /_local/regions`, { statusCode: 503 });
}
