import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { handle } from 'hono/aws-lambda';

import { functionApp } from './function-app';
import { StateTable } from './state-table';
import { StoredSandbox } from './stored-sandbox';

const { STATE_TABLE = '', CONTROL_SECRET_ARN = '' } = process.env;
/** An answer that takes longer than API Gateway waits helps nobody. */
const TIMEOUTS = { requestHandler: { connectionTimeout: 2000, requestTimeout: 5000 } };

/** Without its message, which might quote a request. */
function report(error: Error): void {
  const at = error.stack?.split('\n').filter((line) => line.startsWith('    at '));
  process.stderr.write(`${JSON.stringify({ level: 'error', error: error.name, at })}\n`);
}

async function readControlSecret(): Promise<string> {
  const command = new GetSecretValueCommand({ SecretId: CONTROL_SECRET_ARN });
  const { SecretString } = await new SecretsManagerClient(TIMEOUTS).send(command);
  if (!SecretString) throw new Error('the control secret has no value');
  return SecretString;
}

let controlSecret: Promise<string> | undefined;
/** Read once per process. A failed read is repeated for the next request. */
function cachedControlSecret(): Promise<string> {
  controlSecret ??= readControlSecret().catch((error: unknown) => {
    controlSecret = undefined;
    throw error;
  });
  return controlSecret;
}

const sandbox = new StoredSandbox({
  seed: JSON.parse(readFileSync(join(__dirname, 'seed.json'), 'utf8')) as unknown,
  store: new StateTable(new DynamoDBClient(TIMEOUTS), STATE_TABLE),
  onUnexpectedError: report,
});

/** The platform's sandbox behind a REST API. All bodies are text: no media type is configured as binary. */
export const handler = handle(
  functionApp({ sandbox, controlSecret: cachedControlSecret, onUnexpectedError: report }),
  { isContentTypeBinary: () => false },
);
