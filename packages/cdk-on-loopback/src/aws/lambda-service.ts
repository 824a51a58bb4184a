import { type LambdaFunction } from '../account';
import { type InvocationResult } from '../interfaces';
import { requireAllowed } from '../iam/authorize';
import { AwsError, validationError } from './aws-error';
import { type Call, type RestOperations, type RestRequest, type RestResponse } from './operation';
import { renderRest } from './protocols';

const MAX_SYNC_PAYLOAD_BYTES = 6 * 1024 * 1024;
const MAX_ASYNC_PAYLOAD_BYTES = 1024 * 1024;
/** The headers of Invoke's `ClientContext`, `TenantId` and `DurableExecutionName`. */
const UNSUPPORTED_HEADERS = ['x-amz-client-context', 'x-amz-tenant-id', 'x-amz-durable-execution-name'];
/** A name, `ACCOUNT:function:NAME` or an ARN, each with or without a qualifier. */
const FUNCTION_NAME =
  /^(?:(?:arn:aws:lambda:(?<region>[a-z]{2}(?:-[a-z]+)+-\d):)?(?<owner>\d{12}):)?(?:function:)?(?<name>[\w-]+)(?::(?<suffix>\$LATEST|[\w-]+))?$/;

export const LAMBDA_OPERATIONS: RestOperations = {
  Invoke: {
    route: 'POST /2015-03-31/functions/{name}/invocations',
    async run(request, call) {
      const fn = openFunction(request, call, 'InvokeFunction');
      const type = request.header('x-amz-invocation-type') ?? 'RequestResponse';
      const payload = readPayload(request.body, type);
      const unsupported = UNSUPPORTED_HEADERS.find((name) => request.header(name) !== undefined);
      if (unsupported !== undefined)
        throw invalid(`the local endpoint does not support the header ${unsupported}`);
      const traceHeader = request.header('x-amzn-trace-id');
      switch (type) {
        case 'DryRun':
          return empty(204);
        case 'Event':
          call.invoker.invokeAsync(fn.arn, payload, { traceHeader });
          return empty(202);
        case 'RequestResponse':
          return answerOf(
            await call.invoker.invoke(fn.arn, payload, { traceHeader }),
            request.header('x-amz-log-type') === 'Tail',
          );
        default:
          throw invalid('InvocationType must be RequestResponse, Event or DryRun.');
      }
    },
  },

  GetFunctionConfiguration: {
    route: 'GET /2015-03-31/functions/{name}/configuration',
    run(request, call) {
      const fn = openFunction(request, call, 'GetFunctionConfiguration');
      return renderRest({
        FunctionName: fn.name,
        FunctionArn: fn.arn,
        Role: fn.roleArn,
        Handler: fn.handler,
        Timeout: fn.timeoutSec,
        MemorySize: fn.memoryMb,
        Environment: { Variables: fn.environment },
        LoggingConfig: { LogGroup: fn.logGroupName },
        PackageType: 'Zip',
        Version: '$LATEST',
        State: 'Active',
        LastUpdateStatus: 'Successful',
      });
    },
  },

  DeleteFunction: {
    route: 'DELETE /2015-03-31/functions/{name}',
    async run(request, call) {
      const fn = openFunction(request, call, 'DeleteFunction');
      call.account.functions.delete(fn.arn);
      await call.invoker.remove(fn.arn);
      return empty(204);
    },
  },

  GetAccountSettings: {
    route: 'GET /2016-08-19/account-settings',
    run(_request, call) {
      requireAllowed(call, { action: 'lambda:GetAccountSettings', resource: '*' });
      const { account } = call;
      return renderRest({
        AccountLimit: {
          ConcurrentExecutions: account.concurrentExecutions,
          UnreservedConcurrentExecutions: account.unreservedConcurrency(),
        },
        AccountUsage: { FunctionCount: account.functions.size },
      });
    },
  },
};

/**
 * Finds the function that a request names, and authorizes the caller.
 * @see Lambda API reference, API_Invoke (FunctionName, Qualifier)
 * @see https://github.com/localstack/localstack (lambda_/test_lambda_api, recorded from AWS: the refusals)
 */
function openFunction(
  { name: functionName, query }: RestRequest,
  call: Call,
  action: string,
): LambdaFunction {
  const { accountId, region } = call.account;
  const parts = FUNCTION_NAME.exec(functionName)?.groups;
  if (!parts) {
    throw validationError(
      `1 validation error detected: Value '${functionName}' at 'functionName' failed to satisfy constraint: Member must satisfy regular expression pattern: ${FUNCTION_NAME.source}`,
    );
  }
  const { region: namedRegion = region, owner = accountId, name, suffix } = parts;
  if (namedRegion !== region)
    throw notFound(`Functions from '${namedRegion}' are not reachable in this region ('${region}')`);
  const parameter = query.get('Qualifier') ?? undefined;
  if (suffix !== undefined && parameter !== undefined && suffix !== parameter) {
    throw invalid('The derived qualifier from the function name does not match the specified qualifier.');
  }
  const arn = call.account.arn('lambda', `function:${name}`, owner);
  const fn = call.account.functions.get(arn);
  requireAllowed(call, { action: `lambda:${action}`, resource: arn, resourcePolicy: fn?.resourcePolicy });
  const qualifier = suffix ?? parameter;
  if (fn && (qualifier ?? '$LATEST') === '$LATEST') return fn;
  // Of all errors about a missing function, only that of Invoke names $LATEST if the request names no version.
  const shown = qualifier ?? (action === 'InvokeFunction' ? '$LATEST' : undefined);
  throw notFound(`Function not found: ${shown === undefined ? arn : `${arn}:${shown}`}`);
}

function empty(statusCode: number): RestResponse {
  return { statusCode, headers: {}, body: Buffer.alloc(0) };
}

function notFound(message: string): AwsError {
  return new AwsError('ResourceNotFoundException', message, { statusCode: 404, fields: { Type: 'User' } });
}

function badRequest(code: string, message: string): AwsError {
  return new AwsError(code, message, { statusCode: 400, fields: { Type: 'User' } });
}

function invalid(message: string): AwsError {
  return badRequest('InvalidParameterValueException', message);
}

function readPayload(body: Buffer, type: string): Buffer {
  const limit = type === 'Event' ? MAX_ASYNC_PAYLOAD_BYTES : MAX_SYNC_PAYLOAD_BYTES;
  if (body.length > limit) {
    throw new AwsError(
      'RequestTooLargeException',
      `${body.length} byte payload is too large for the ${type} invocation type (limit ${limit} bytes)`,
      { statusCode: 413 },
    );
  }
  if (body.length === 0) return Buffer.from('{}');
  try {
    JSON.parse(body.toString());
    return body;
  } catch {
    // The parser's error is not passed on as the cause, because it quotes the payload.
    throw badRequest('InvalidRequestContentException', 'Could not parse request body into json.');
  }
}

function answerOf(result: InvocationResult, withLogs: boolean): RestResponse {
  if (result.kind === 'throttled') {
    throw new AwsError('TooManyRequestsException', 'Rate Exceeded.', {
      statusCode: 429,
      fields: { Reason: result.reason, Type: 'User' },
    });
  }
  return {
    statusCode: 200,
    headers: {
      'Content-Type': 'application/json',
      'X-Amz-Executed-Version': '$LATEST',
      'x-amzn-RequestId': result.requestId,
      ...(withLogs ? { 'X-Amz-Log-Result': Buffer.from(result.logTail).toString('base64') } : {}),
      ...(result.kind === 'function-error' ? { 'X-Amz-Function-Error': result.functionError } : {}),
    },
    body: result.payload,
  };
}
