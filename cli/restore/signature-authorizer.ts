import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';

import { type AwsCall, awsFailure } from '../call-aws';
import { type CommandContext } from '../command';
import { type Deployment } from '../system';
import { type AuthorizedHeaders, type Authorizer, type UnsignedRequest } from './authorizer';

/**
 * Signs requests with the caller's own AWS identity (Signature Version 4), for the deployment's AWS region.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-use-postman-to-call-api.html
 */
export class SignatureAuthorizer implements Authorizer {
  readonly #signer: SignatureV4;
  readonly #nowMs: () => number;
  readonly #call: AwsCall;

  /** @param clockAheadMs how far AWS's clock is ahead: API Gateway accepts a signature for 5 minutes only */
  constructor(
    { nowMs, terminal: { interrupted } }: CommandContext,
    deployment: Deployment,
    clockAheadMs: number,
  ) {
    // Credentials and region as the deployment's SDK clients resolve them.
    const { credentials, region } = deployment.lambda.config;
    this.#signer = new SignatureV4({ service: 'execute-api', region, credentials, sha256: Sha256 });
    this.#nowMs = () => nowMs() + clockAheadMs;
    const resource = `the restore API of ${deployment.stackName}`;
    this.#call = { action: 'execute-api:Invoke', resource, deployment, interrupted };
  }

  async authorize({ url, method, headers, body }: UnsignedRequest): Promise<AuthorizedHeaders> {
    const { protocol, hostname, port, pathname, host } = url;
    const unsigned = {
      method,
      protocol,
      hostname,
      ...(port !== '' && { port: Number(port) }),
      path: pathname,
      headers: { ...headers, host },
      body,
    };
    try {
      const signed = await this.#signer.sign(unsigned, { signingDate: new Date(this.#nowMs()) });
      return signed.headers;
    } catch (error) {
      throw awsFailure(error, this.#call);
    }
  }

  /** Does nothing: a refused identity cannot be replaced. */
  async renew(): Promise<void> {}
}
