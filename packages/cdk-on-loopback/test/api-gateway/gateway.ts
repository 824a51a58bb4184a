import { once } from 'node:events';
import { type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { text } from 'node:stream/consumers';
import { SignatureV4 } from '@smithy/signature-v4';
import { type Account, type PolicyStatement } from '../../src/account';
import { type RestApi, RestApis } from '../../src/api-gateway/rest-api';
import { apiGatewayResourceTypes } from '../../src/api-gateway/api-gateway-resource-types';
import { type ApiGatewayServer, startApiGateway } from '../../src/api-gateway/api-gateway-server';
import { writeLogEvents } from '../../src/aws/logs-service';
import { standingClock } from '../../src/testing/standing-clock';
import { type AnsweredRequest } from '../../src/cloudwatch/vended-metrics';
import { type AccessKey, Credentials } from '../../src/iam/access-keys';
import { type FunctionInvoker, type InvocationResult } from '../../src/interfaces';
import { type ProvisionedStack } from '../../src/template/provision';
import { type CertificateAuthority, createCertificateAuthority } from '../../src/certificate-authority';
import { addRole, lambdaFunction } from '../../src/testing/account-parts';
import { RecordingReporter } from '../../src/testing/recording-reporter';
import { emptyAccount, NOW_MS, provision } from '../../src/testing/stacks';
import { Sha256 } from '../../src/testing/signed-fetch';
import { type ApiShape, apiTemplate, FUNCTION_PREFIX, type Resources } from './api-template';
import { failure } from '../support/invocation-results';
import { allow } from '../support/policies';

/** A test function's handler. It returns the response as an object, or a whole invocation result. */
export type Behavior = (event: Record<string, unknown>) => object | Promise<InvocationResult>;

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Names, as sent, and values in turn. */
  rawHeaders: readonly string[];
  text: string;
}

export interface Call extends Pick<RequestOptions, 'method' | 'maxVersion' | 'agent'> {
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

let authority: Promise<CertificateAuthority> | undefined;
let nextId = 0;

/** Unique text, in place of a stack's `random`. */
function uniqueText(length: number): string {
  return (nextId++).toString(36).padStart(length, 'a').slice(-length);
}

/** API Gateway with the test's functions, on a clock that stands still. Close it after each test. */
export class Gateway implements FunctionInvoker {
  readonly account: Account = emptyAccount();
  readonly clock = standingClock(NOW_MS);
  readonly credentials = new Credentials(this.account.accountId, this.clock);
  readonly reporter = new RecordingReporter();
  readonly apis = new RestApis();
  /** Events by function name, in order. */
  readonly events: { functionName: string; event: Record<string, unknown> }[] = [];
  /** The callback's argument for each request, in order. */
  readonly answered: AnsweredRequest[] = [];
  private readonly behaviors = new Map<string, Behavior>();
  private readonly timers = new Set<() => void>();
  private server: ApiGatewayServer | undefined;

  /** @param backend of the function `backend` @default it answers 200 */
  constructor(backend: Behavior = () => ({ statusCode: 200 })) {
    this.addFunction('backend', backend);
  }

  /** Adds a function with a permission for API Gateway, like the one in templates. */
  addFunction(name: string, behavior: Behavior, sourceArn = 'arn:aws:execute-api:*:*:*'): void {
    this.behaviors.set(name, behavior);
    const arn = `${FUNCTION_PREFIX}${name}`;
    const permission: PolicyStatement = {
      ...allow('lambda:InvokeFunction', arn, { ArnLike: { 'aws:SourceArn': sourceArn } }),
      Principal: { Service: 'apigateway.amazonaws.com' },
    };
    const resourcePolicy = { Version: '2012-10-17', Statement: [permission] };
    this.account.functions.set(arn, lambdaFunction(name, { resourcePolicy }));
  }

  /** Removes the permission to invoke a function. */
  forbid(name: string): void {
    this.account.functions.get(`${FUNCTION_PREFIX}${name}`)!.resourcePolicy.Statement = [];
  }

  /** @param previous the stack to update */
  provision(resources: Resources, previous?: ProvisionedStack): ProvisionedStack {
    return provision(
      { Resources: resources },
      { account: this.account, types: apiGatewayResourceTypes(this.apis), random: uniqueText, previous },
    );
  }

  /** Provisions the template of {@link apiTemplate}, and starts. */
  serve(shape?: ApiShape): Promise<ApiGatewayServer> {
    this.provision(apiTemplate(shape));
    return this.start();
  }

  async start(port = 0): Promise<ApiGatewayServer> {
    authority ??= createCertificateAuthority();
    this.server = await startApiGateway({
      account: this.account,
      apis: this.apis,
      invoker: this,
      credentials: this.credentials,
      clock: this.clock,
      reporter: this.reporter,
      writeLogs: writeLogEvents,
      onAnswer: (answered) => this.answered.push(answered),
      port,
      authority: await authority,
      startTimer: (run) => {
        this.timers.add(run);
        return () => this.timers.delete(run);
      },
    });
    return this.server;
  }

  get api(): RestApi {
    return [...this.apis.byId.values()][0]!;
  }

  get origin(): string {
    return this.server!.origin;
  }

  /** `/{restApiId}/{stage}` of the only API. */
  get base(): string {
    return `/${this.api.id}/v1`;
  }

  /** Sends a request to a path of the stage `v1`. */
  call(path: string, given: Call = {}): Promise<Reply> {
    return this.fetch(`${this.base}${path}`, given);
  }

  /** Sends a request to a path of the server. */
  async fetch(path: string, { body, ...options }: Call = {}): Promise<Reply> {
    const ca = (await authority!).certificate;
    const { hostname, port } = new URL(this.origin);
    const request = httpsRequest({ hostname, port, path, ca, agent: false, ...options }).end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    // The server may answer before it has read a body that is too long.
    request.on('error', () => undefined);
    const { headers, rawHeaders } = response;
    return { status: response.statusCode!, headers, rawHeaders, text: await text(response) };
  }

  /** Like {@link call}, but signed by the SDK's signer with the run's time. */
  async callSigned(path: string, key: AccessKey, { body = '', ...given }: Call = {}): Promise<Reply> {
    const signer = new SignatureV4({
      credentials: key,
      region: 'eu-west-1',
      service: 'execute-api',
      sha256: Sha256 as never,
    });
    const { host, hostname } = new URL(this.origin);
    const { method = 'POST' } = given;
    const request = {
      method,
      protocol: 'https:',
      hostname,
      path: `${this.base}${path}`,
      query: {},
      headers: { host, ...(given.headers as Record<string, string>) },
      body,
    };
    const { headers } = await signer.sign(request, { signingDate: new Date(this.clock.nowMs()) });
    return this.call(path, { method, headers, body });
  }

  /** A key of a role with one inline policy. */
  roleKey(...statements: PolicyStatement[]): AccessKey {
    const arn = addRole(this.account, 'caller', statements);
    return this.credentials.issueForRole(arn, 'session', { withSessionToken: true });
  }

  /** Makes every waiting integration time out. */
  endTime(): void {
    for (const run of [...this.timers]) run();
  }

  /** Events of one function. */
  eventsOf(functionName: string): Record<string, unknown>[] {
    return this.events.filter((each) => each.functionName === functionName).map(({ event }) => event);
  }

  async invoke(functionArn: string, payload: Buffer): Promise<InvocationResult> {
    const functionName = functionArn.slice(FUNCTION_PREFIX.length);
    const event = JSON.parse(payload.toString()) as Record<string, unknown>;
    this.events.push({ functionName, event });
    const answered = this.behaviors.get(functionName)!(event);
    if (answered instanceof Promise) return answered;
    return { kind: 'ok', payload: Buffer.from(JSON.stringify(answered)), logTail: '', requestId: 'r-1' };
  }

  invokeAsync(): never {
    throw new Error('API Gateway waits for its functions');
  }

  async remove(): Promise<void> {}

  async close(): Promise<void> {
    await this.server?.close();
    this.clock.close();
  }
}

/** A function that never returns; {@link Gateway.endTime} makes it time out. */
export const neverAnswering = (gateway: Gateway): Promise<InvocationResult> => {
  setImmediate(() => gateway.endTime());
  return new Promise<InvocationResult>(() => undefined);
};

/** The result of a function that threw. */
export const functionError = (errorMessage: string) => Promise.resolve(failure(errorMessage));
