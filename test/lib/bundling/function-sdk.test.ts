import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';

import { type BuildOptions, buildSync } from 'esbuild';

import { BUNDLING, FUNCTION_BUNDLING } from '../../../lib/bundling/bundle';
import { temporaryFolder } from '../../support/lib/synthesis';

interface Outcome {
  sent?: object;
  answer?: object;
  error?: { name: string; message: string };
}
type Environment = Record<string, string>;
type Call = (status: number, headers: Environment, body: string) => Promise<Outcome>;

/** Keeps the whole SDK from settings of this machine, and from warning about its Node. */
const NO_FILES = {
  AWS_CONFIG_FILE: '/none',
  AWS_SHARED_CREDENTIALS_FILE: '/none',
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
};
const IN_IRELAND = {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'any',
  AWS_SESSION_TOKEN: 'any',
};

const ROOT = join(__dirname, '../../..');

/** One call of each client that functions have, with an answer given by the test instead of a service. */
const CALLS = `
  import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
  import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
  import { HttpResponse } from '@smithy/core/transport';

  const textOf = (body) =>
    typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  const exchange = (Client, command) => async (statusCode, headers, text) => {
    let sent;
    const handle = async ({ hostname, method, path, headers: { ...names }, body }) => {
      // With the date, they differ in every call.
      const { authorization, 'x-amz-date': date, 'amz-sdk-invocation-id': id, ...rest } = names;
      const scope = authorization.replace(/\\d{8}|Signature=.*/g, '');
      sent = { hostname, method, path, headers: { ...rest, scope }, body: textOf(body) };
      return { response: new HttpResponse({ statusCode, headers, body: Buffer.from(text) }) };
    };
    try {
      const client = new Client({ maxAttempts: 1, requestHandler: { handle } });
      const { FunctionError, Payload } = await client.send(command);
      return { sent, answer: { FunctionError, Payload: Payload && Buffer.from(Payload).toString() } };
    } catch (error) {
      const { name, message, $fault, $metadata } = error;
      return { sent, error: { name, message, $fault, status: $metadata?.httpStatusCode } };
    }
  };
  const Payload = Buffer.from('{"action":"probe"}');
  export const invoke = exchange(LambdaClient, new InvokeCommand({ FunctionName: 'arn:aws:lambda:eu-west-1:1:function:f', Payload }));
  export const getSecret = exchange(SecretsManagerClient, new GetSecretValueCommand({ SecretId: 'any', VersionStage: 'AWSCURRENT' }));
`;

/** The environment that the calls see. */
let environment: Environment = {};
const whole = callsBundledWith(BUNDLING);
const part = callsBundledWith(FUNCTION_BUNDLING);

describe("the functions' part of the SDK", () => {
  it.each<[string, Environment]>([
    ['in a region', IN_IRELAND],
    ['to FIPS endpoints', { ...IN_IRELAND, AWS_REGION: 'us-gov-west-1', AWS_USE_FIPS_ENDPOINT: 'true' }],
    ['to the endpoint of a service', { ...IN_IRELAND, AWS_ENDPOINT_URL_LAMBDA: 'https://lambda.example' }],
  ])('sends what the whole SDK sends: %s', async (_case, settings) => {
    for (const operation of ['invoke', 'getSecret']) {
      const [expected, outcome] = await both(settings, operation, (call) => call(200, {}, '{}'));

      expect(expected.sent).toBeDefined();
      expect(outcome).toEqual(expected);
    }
  });

  it.each<[string, number, Environment, string]>([
    ['a payload', 200, {}, '{"ok":true}'],
    ['a failed function', 200, { 'x-amz-function-error': 'Unhandled' }, '{"errorType":"Error"}'],
    ['throttling', 429, { 'x-amzn-errortype': 'TooManyRequestsException' }, '{"message":"Rate Exceeded."}'],
  ])('reads what the whole SDK reads: %s', async (_case, status, headers, body) => {
    const [expected, outcome] = await both(IN_IRELAND, 'invoke', (call) => call(status, headers, body));

    expect(outcome).toEqual(expected);
  });

  it('takes credentials from the environment alone, and fails as the whole SDK fails without any', async () => {
    const file = join(temporaryFolder(), 'credentials');
    writeFileSync(file, '[default]\naws_access_key_id = AKIAFILE\naws_secret_access_key = any\n');
    const withoutKeys = { AWS_REGION: 'eu-west-1' };
    const withFile = { ...withoutKeys, AWS_SHARED_CREDENTIALS_FILE: file };

    const [expected, missing] = await both(withoutKeys, 'getSecret', (call) => call(200, {}, '{}'));
    const [fromFile, unread] = await both(withFile, 'getSecret', (call) => call(200, {}, '{}'));

    expect(missing.error?.name).toBe(expected.error!.name);
    expect(fromFile.sent).toBeDefined();
    expect(unread).toEqual(missing);
  });
});

/** The outcome with the whole SDK and with the functions' part. */
async function both(settings: Environment, operation: string, use: (call: Call) => Promise<Outcome>) {
  environment = { ...NO_FILES, ...settings };
  return [await use(whole()[operation]!), await use(part()[operation]!)] as const;
}

function callsBundledWith(options: BuildOptions): () => Record<string, Call> {
  let calls: Record<string, Call> | undefined;
  return () => (calls ??= load(options));
}

function load(options: BuildOptions): Record<string, Call> {
  const { outputFiles } = buildSync({
    ...options,
    write: false,
    absWorkingDir: ROOT,
    stdin: { contents: CALLS, resolveDir: ROOT },
  });
  const module = { exports: {} as Record<string, Call> };
  const process = Object.create(global.process, { env: { get: () => environment } }) as object;
  const loadBuiltin = createRequire(__filename);
  const requireIt = (name: string) =>
    (/^(node:)?process$/.test(name) ? process : loadBuiltin(name)) as object;
  const run = compileFunction(outputFiles[0]!.text, ['module', 'require', 'process']);
  (run as (...given: object[]) => void)(module, requireIt, process);
  return module.exports;
}
