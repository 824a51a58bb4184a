import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';

import { type LambdaFunction } from '../account';
import { sha256Hex } from '../sha256';

export interface SessionKeys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
}

export interface RunAddresses {
  region: string;
  /** The run's AWS endpoint. */
  endpointUrl: string;
  /** Origin of the run's API Gateway; undefined if there is none. */
  apiOrigin?: string;
  /** PEM file of the CA certificates of the run's servers; absolute path. */
  caFile: string;
  /** `NODE_PATH`: folders with the packages that AWS's runtime has, such as the SDK. @default none */
  modulePath?: string | undefined;
}

/**
 * The environment variables of a function's process: Lambda's, the template's, and those that direct clients to the
 * local servers. Nothing from this machine's environment is included. Writes the file that NODE_EXTRA_CA_CERTS names.
 * @see AWS Lambda Developer Guide, "Defined runtime environment variables"
 */
export function lambdaEnvironment(
  fn: LambdaFunction,
  keys: SessionKeys,
  { region, endpointUrl, caFile, modulePath }: RunAddresses,
  runtimeApi: string,
): Record<string, string> {
  return {
    ...fn.environment,
    _HANDLER: fn.handler,
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    // Lambda has no such files, and SDKs would read this machine's.
    AWS_CONFIG_FILE: devNull,
    AWS_DEFAULT_REGION: region,
    AWS_ENDPOINT_URL: endpointUrl,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(fn.memoryMb),
    AWS_LAMBDA_FUNCTION_NAME: fn.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: fn.logGroupName,
    AWS_LAMBDA_LOG_STREAM_NAME: '[$LATEST]local',
    AWS_LAMBDA_RUNTIME_API: runtimeApi,
    AWS_REGION: region,
    // If this machine's Node is older than Lambda's, SDKs would print eight lines of warning at each cold start.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
    AWS_SESSION_TOKEN: keys.sessionToken,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    LAMBDA_TASK_ROOT: fn.codeDir,
    LANG: 'en_US.UTF-8',
    ...(modulePath !== undefined && { NODE_PATH: modulePath }),
    NODE_EXTRA_CA_CERTS: writeAuthorities(fn, caFile),
    PATH: '/usr/local/bin:/usr/bin:/bin',
    TZ: ':UTC',
  };
}

/** Folder beside the run's CA file, for copies of it with the CA certificates of a function added. */
export const AUTHORITIES_FOLDER = 'authorities';

/** Where Lambda has a function's code. */
const TASK_ROOT = '/var/task/';

/**
 * Writes a file with the run's CA certificates and those that the function's bundle has in a file of its own.
 * @returns its path, or `caFile` if the function has none
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-nodejs.html (NODE_EXTRA_CA_CERTS)
 */
function writeAuthorities({ environment, codeDir }: LambdaFunction, caFile: string): string {
  const { NODE_EXTRA_CA_CERTS: own = '' } = environment;
  const file = join(codeDir, own.slice(TASK_ROOT.length));
  if (!own.startsWith(TASK_ROOT) || !existsSync(file)) return caFile;
  const both = `${readFileSync(caFile, 'utf8')}\n${readFileSync(file, 'utf8')}`;
  const name = sha256Hex(both).slice(0, 16);
  const folder = join(dirname(caFile), AUTHORITIES_FOLDER);
  const merged = join(folder, `${name}.pem`);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(merged)) writeFileSync(merged, both);
  return merged;
}
