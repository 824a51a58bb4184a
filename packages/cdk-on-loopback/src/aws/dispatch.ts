import { headerOf, type SignedRequest } from '../iam/canonical-request';
import { AwsError } from './aws-error';
import { CLOUDWATCH_OPERATIONS } from './cloudwatch-service';
import { DYNAMODB_OPERATIONS } from './dynamodb-service';
import { type Faults } from './endpoint-faults';
import { EVENTBRIDGE_OPERATIONS } from './eventbridge-service';
import { KMS_OPERATIONS } from './kms-service';
import { LAMBDA_OPERATIONS } from './lambda-service';
import { LOGS_OPERATIONS } from './logs-service';
import { type Call, type Operations, type RestOperations, type RestResponse } from './operation';
import { parseJsonInput, parseQueryInput, type Protocol, renderJson, renderQuery } from './protocols';
import { SCHEDULER_OPERATIONS } from './scheduler-service';
import { withReplicas } from './secrets-manager/replication';
import { SECRETS_MANAGER_OPERATIONS } from './secrets-manager/secrets-manager-service';
import { SQS_OPERATIONS } from './sqs-service';
import { SSM_OPERATIONS } from './ssm-service';
import { STS_OPERATIONS } from './sts-service';
import { TAGGING_OPERATIONS } from './tagging-service';

const JSON_SERVICES: Readonly<Record<string, { targetPrefix: string; operations: Operations }>> = {
  dynamodb: { targetPrefix: 'DynamoDB_20120810', operations: DYNAMODB_OPERATIONS },
  events: { targetPrefix: 'AWSEvents', operations: EVENTBRIDGE_OPERATIONS },
  kms: { targetPrefix: 'TrentService', operations: KMS_OPERATIONS },
  logs: { targetPrefix: 'Logs_20140328', operations: LOGS_OPERATIONS },
  // The service name with which CloudWatch requests are signed.
  monitoring: { targetPrefix: 'GraniteServiceVersion20100801', operations: CLOUDWATCH_OPERATIONS },
  secretsmanager: { targetPrefix: 'secretsmanager', operations: SECRETS_MANAGER_OPERATIONS },
  sqs: { targetPrefix: 'AmazonSQS', operations: SQS_OPERATIONS },
  ssm: { targetPrefix: 'AmazonSSM', operations: SSM_OPERATIONS },
  tagging: { targetPrefix: 'ResourceGroupsTaggingAPI_20170126', operations: TAGGING_OPERATIONS },
};

const REST_SERVICES: Readonly<Record<string, RestOperations>> = {
  lambda: LAMBDA_OPERATIONS,
  scheduler: SCHEDULER_OPERATIONS,
};

/** The supported operations, by the signing name of their service. */
export const SUPPORTED_OPERATIONS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [
    ...Object.entries(JSON_SERVICES).map(([name, { operations }]) => [name, operations] as const),
    ...Object.entries({ ...REST_SERVICES, sts: STS_OPERATIONS }),
  ].map(([name, operations]) => [name, Object.keys(operations).sort()]),
);

/** Services with the query protocol, also unsupported ones: their SDKs cannot read an error in JSON. */
const QUERY_SERVICES = ['cloudformation', 'iam', 'sns', 'sts'];

/** The services that also answer in regions without stacks. Lambda has no functions there. */
const IN_OTHER_REGIONS = ['kms', 'lambda', 'secretsmanager', 'ssm', 'sts'];

/** A service's protocol; JSON, the most common, if the service is not supported. */
export function protocolOf(service: string | undefined): Protocol {
  if (service === undefined) return 'json';
  if (Object.hasOwn(REST_SERVICES, service)) return 'rest-json';
  return QUERY_SERVICES.includes(service) ? 'query' : 'json';
}

/**
 * Runs the operation of a request whose signature has been verified.
 * @throws {AwsError} the operation's error, an injected fault, or UnknownOperationException with the supported operations
 */
export async function dispatch(
  service: string,
  request: SignedRequest,
  call: Call,
  faults: Faults,
  requestId: string,
): Promise<RestResponse> {
  if (call.account !== call.account.home && !IN_OTHER_REGIONS.includes(service))
    throw unknownOperation(service);
  if (Object.hasOwn(REST_SERVICES, service)) return dispatchRest(service, request, call, faults);
  if (service === 'sts') return dispatchQuery(request, call, faults, requestId);
  return dispatchJson(service, request, call, faults);
}

function dispatchJson(service: string, request: SignedRequest, call: Call, faults: Faults): RestResponse {
  const [prefix, name = ''] = (headerOf(request, 'x-amz-target') ?? '').split('.');
  const served = JSON_SERVICES[service];
  const operation = served && own(served.operations, name);
  if (!operation || prefix !== served.targetPrefix) throw unknownOperation(service);
  const input = parseJsonInput(request.body);
  faults.strike(service, name, input.has('SecretId') ? input.text('SecretId') : undefined);
  input.refuseOtherThan(operation.parameters);
  const run = (): object => operation.run(input, call);
  const output = service === 'secretsmanager' ? withReplicas(call, run) : run();
  return renderJson(output, headerOf(request, 'content-type'));
}

function dispatchQuery(request: SignedRequest, call: Call, faults: Faults, requestId: string): RestResponse {
  const { action, input } = parseQueryInput(request.body);
  const operation = own(STS_OPERATIONS, action);
  if (!operation) throw unknownOperation('sts');
  faults.strike('sts', action, undefined);
  input.refuseOtherThan(operation.parameters);
  return renderQuery(action, operation.run(input, call), requestId);
}

async function dispatchRest(
  service: string,
  request: SignedRequest,
  call: Call,
  faults: Faults,
): Promise<RestResponse> {
  const { pathname, searchParams: query } = new URL(request.url, call.origin);
  for (const [operationName, operation] of Object.entries(REST_SERVICES[service]!)) {
    const pattern = new RegExp(`^${operation.route.replace('{name}', '([^/]+)')}/?$`);
    const match = pattern.exec(`${request.method} ${pathname}`);
    if (!match) continue;
    faults.strike(service, operationName, undefined);
    const name = decodePath(match[1] ?? '');
    return operation.run(
      { name, query, header: (header) => headerOf(request, header), body: request.body },
      call,
    );
  }
  throw unknownOperation(service);
}

function decodePath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    const message = 'The name in the path is not valid percent-encoding.';
    throw new AwsError('InvalidParameterValueException', message, { cause });
  }
}

function unknownOperation(service: string): AwsError {
  const supported = own(SUPPORTED_OPERATIONS, service);
  const what = supported ? `this operation of ${service}` : 'the service that the request is signed for';
  const list = (supported ?? Object.keys(SUPPORTED_OPERATIONS)).join(', ');
  const message = `the local endpoint does not support ${what}; supported: ${list}`;
  return new AwsError('UnknownOperationException', message);
}

/** An own member of a record, never one from its prototype. */
function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
