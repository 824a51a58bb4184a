import { timingSafeEqual } from 'node:crypto';
import { AwsError } from '../aws/aws-error';
import { type CredentialScope, headerOf, signatureOf, type SignedRequest } from './canonical-request';
import { type CredentialLookup } from './access-keys';
import { type Principal } from './principal';

const MINUTE_MS = 60_000;
/**
 * How many minutes a signature's date may differ from the clock. Recorded for Secrets Manager, Systems Manager, Lambda,
 * CloudWatch Logs and execute-api.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html
 * @see https://github.com/boto/boto3/issues/4716
 * @see https://github.com/middyjs/middy/issues/1123
 * @see https://github.com/motdotla/node-lambda/issues/382
 * @see https://github.com/mhart/aws4/issues/118
 * @see https://github.com/hashicorp/terraform-provider-aws/issues/34683
 */
const MAX_SKEW_MINUTES = 5;
/**
 * Recorded for STS and SQS. Requests to `/_local/…` (`loopback`) have the same.
 * @see https://github.com/celery/kombu/issues/1937
 */
const LONGER_SKEW_MINUTES: Readonly<Record<string, number>> = { sqs: 15, sts: 15, loopback: 15 };

interface SignatureCheck {
  /** The service that receives the request, for example `secretsmanager` or `execute-api`. */
  service: string;
  region: string;
  nowMs: number;
  credentials: CredentialLookup;
}

interface Authorization {
  accessKeyId: string;
  scope: CredentialScope;
  signedHeaders: string[];
  signature: string;
}

/**
 * The service and region in the request's credential scope. Nothing is verified yet.
 * @throws {AwsError} MissingAuthenticationTokenException or IncompleteSignatureException
 */
export function claimedScope(request: SignedRequest): CredentialScope {
  return parseAuthorization(request).scope;
}

/**
 * Verifies the AWS Signature Version 4 in the Authorization header. The signature must cover the host, the date, every
 * `x-amz-` header and the body, be no more minutes from `nowMs` than the service accepts, and match this region and service.
 * @returns the signer
 * @throws {AwsError} with AWS's code and text, which never include the request, a signature or a key
 * @see IAM user guide, reference_sigv-create-signed-request and reference_sigv-troubleshooting
 */
export function verifySignature(request: SignedRequest, check: SignatureCheck): Principal {
  const { accessKeyId, scope, signedHeaders, signature } = parseAuthorization(request);
  const signedAtMs = signingTime(request);
  if (signedAtMs === undefined) {
    throw incomplete("Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.");
  }
  const timestamp = formatTimestamp(signedAtMs);
  const unsigned = ['host', ...Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'))].find(
    (name) => !signedHeaders.includes(name),
  );
  if (unsigned !== undefined)
    throw mismatch(`'${unsigned}' must be a 'SignedHeader' in the AWS Authorization.`);
  if (scope.region !== check.region) {
    throw mismatch(`Credential should be scoped to a valid region, not '${printable(scope.region)}'.`);
  }
  if (scope.service !== check.service)
    throw mismatch(`Credential should be scoped to correct service: '${check.service}'.`);
  const date = timestamp.slice(0, 8);
  if (scope.date !== date) {
    throw mismatch(
      'Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: ' +
        `'${printable(scope.date)}' != '${date}', from '${timestamp}'.`,
    );
  }

  const key = check.credentials.find(accessKeyId, headerOf(request, 'x-amz-security-token'));
  requireFresh(timestamp, signedAtMs, check);
  const hash = expectedSignature(request, signedHeaders, scope, timestamp, key.secretAccessKey);
  const expected = Buffer.from(hash.toString('hex'));
  const given = Buffer.from(signature);
  const isValid = given.length === expected.length && timingSafeEqual(given, expected);
  if (!isValid) {
    throw mismatch(
      'The request signature we calculated does not match the signature you provided. ' +
        'Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
    );
  }
  return key.principal;
}

function parseAuthorization(request: SignedRequest): Authorization {
  const header = headerOf(request, 'authorization');
  if (header === undefined) {
    throw new AwsError('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
  }
  const [, algorithm, list = ''] = /^(\S+)\s+(.*)$/.exec(header) ?? [];
  if (algorithm !== 'AWS4-HMAC-SHA256')
    throw incomplete('Unsupported AWS signing algorithm: only AWS4-HMAC-SHA256 is answered.');
  const parts = parametersOf(list, request.headers.authorization?.length === 1);
  const required = (name: string): string => {
    const value = parts.get(name);
    if (!value) throw incomplete(`Authorization header requires '${name}' parameter.`);
    return value;
  };
  const [accessKeyId, date, region, service, end, ...rest] = required('Credential').split('/');
  if (!accessKeyId || !date || !region || !service || end !== 'aws4_request' || rest.length > 0) {
    throw incomplete('Credential must have exactly 5 slash-delimited elements, ending in aws4_request.');
  }
  return {
    accessKeyId,
    scope: { date, region, service },
    signedHeaders: required('SignedHeaders').split(';'),
    signature: required('Signature'),
  };
}

/** A repeated Authorization header is malformed. @see https://github.com/envoyproxy/envoy/issues/23702 */
function parametersOf(list: string, isSingleHeader: boolean): Map<string, string> {
  const parts = new Map<string, string>();
  for (const part of list.split(/[\s,]+/).filter(Boolean)) {
    const [name = '', ...value] = part.split('=');
    if (value.length === 0 || parts.has(name) || !isSingleHeader)
      throw incomplete('not a valid key=value pair (missing equal-sign) in Authorization header.');
    parts.set(name, value.join('='));
  }
  return parts;
}

function expectedSignature(
  request: SignedRequest,
  signedHeaders: readonly string[],
  scope: CredentialScope,
  timestamp: string,
  secretAccessKey: string,
): Buffer {
  try {
    return signatureOf(request, signedHeaders, scope, timestamp, secretAccessKey);
  } catch (error) {
    throw new AwsError('IncompleteSignatureException', 'The query string is not valid percent-encoding.', {
      cause: error,
    });
  }
}

function requireFresh(timestamp: string, signedAtMs: number, { service, nowMs }: SignatureCheck): void {
  const minutes = LONGER_SKEW_MINUTES[service] ?? MAX_SKEW_MINUTES;
  const now = formatTimestamp(nowMs);
  const earliestMs = nowMs - minutes * MINUTE_MS;
  const latestMs = nowMs + minutes * MINUTE_MS;
  if (signedAtMs < earliestMs) {
    const earliest = formatTimestamp(earliestMs);
    throw mismatch(
      `Signature expired: ${timestamp} is now earlier than ${earliest} (${now} - ${minutes} min.)`,
    );
  }
  if (signedAtMs > latestMs) {
    const latest = formatTimestamp(latestMs);
    throw mismatch(
      `Signature not yet current: ${timestamp} is still later than ${latest} (${now} + ${minutes} min.)`,
    );
  }
}

/** When the request was signed: the time of `X-Amz-Date`, or of `Date` without it; undefined if that is no time. */
export function signingTime(request: SignedRequest): number | undefined {
  const date = headerOf(request, 'x-amz-date');
  if (date !== undefined) return parseTimestamp(date);
  const text = headerOf(request, 'date') ?? '';
  const ms = parseTimestamp(text) ?? (/^\w{3}, .* GMT$/.test(text) ? Date.parse(text) : NaN);
  return Number.isNaN(ms) ? undefined : ms;
}

function parseTimestamp(text: string): number | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second] = match;
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

function formatTimestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, '');
}

function printable(text: string): string {
  return text.replace(/[^\w-]/g, '?').slice(0, 40);
}

function incomplete(message: string): AwsError {
  return new AwsError('IncompleteSignatureException', message);
}

function mismatch(message: string): AwsError {
  return new AwsError('InvalidSignatureException', message);
}
