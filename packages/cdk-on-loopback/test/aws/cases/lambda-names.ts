import { type InvokeCommandInput } from '@aws-sdk/client-lambda';

/** How a request names the function `refresh` of the account 111111111111 in eu-west-1, and what comes of it. */
export interface LambdaNameCase {
  input: Pick<InvokeCommandInput, 'FunctionName' | 'Qualifier'>;
  /** Absent if the function is found. */
  refusal?: { name: string; message: string; status: number };
  source: string;
}

const API = 'https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html';
/** AWS's answers that LocalStack's tests recorded. Apache License 2.0. */
const recorded = (test: string): string =>
  `https://github.com/localstack/localstack/blob/main/tests/aws/services/lambda_/test_lambda_api.snapshot.json#${test}`;
const NAMES = recorded('test_function_name_and_qualifier_validation');

const ARN = 'arn:aws:lambda:eu-west-1:111111111111:function';
const notFound = (message: string) => ({ name: 'ResourceNotFoundException', message, status: 404 });
const malformed = (name: string) => ({
  name: 'ValidationException',
  message: `1 validation error detected: Value '${name}' at 'functionName' failed to satisfy constraint: Member must satisfy regular expression pattern: `,
  status: 400,
});

export const LAMBDA_NAME_CASES: readonly LambdaNameCase[] = [
  ...[
    'refresh',
    'function:refresh',
    '111111111111:refresh',
    '111111111111:function:refresh',
    `${ARN}:refresh`,
    `${ARN}:refresh:$LATEST`,
  ].map((FunctionName) => ({ input: { FunctionName }, source: API })),
  { input: { FunctionName: 'refresh:$LATEST', Qualifier: '$LATEST' }, source: API },
  {
    input: { FunctionName: 'other' },
    refusal: notFound(`Function not found: ${ARN}:other:$LATEST`),
    source:
      'https://github.com/localstack/localstack/blob/main/tests/aws/services/lambda_/test_lambda.snapshot.json#test_invoke_exceptions',
  },
  {
    input: { FunctionName: 'refresh', Qualifier: '1' },
    refusal: notFound(`Function not found: ${ARN}:refresh:1`),
    source: recorded('test_ops_on_nonexisting_version'),
  },
  {
    input: { FunctionName: 'arn:aws:lambda:us-east-1:111111111111:function:refresh' },
    refusal: notFound("Functions from 'us-east-1' are not reachable in this region ('eu-west-1')"),
    source: recorded('test_get_function_wrong_region[invoke]'),
  },
  ...['arn:aws:lambda:eu-west-1:222222222222:function:refresh', '222222222222:function:refresh'].map(
    (FunctionName) => ({
      input: { FunctionName },
      refusal: {
        name: 'AccessDeniedException',
        message: 'not authorized to perform: lambda:InvokeFunction',
        status: 403,
      },
      source: recorded('test_function_arns'),
    }),
  ),
  {
    input: { FunctionName: 'refresh:$LATEST', Qualifier: '1' },
    refusal: {
      name: 'InvalidParameterValueException',
      message: 'The derived qualifier from the function name does not match the specified qualifier.',
      status: 400,
    },
    source: NAMES,
  },
  ...[
    'refresh!',
    '*',
    'invalid-account:function:refresh',
    'arn:aws:lambda:invalid-region:111111111111:function:refresh',
    'arn:aws:lambda::111111111111:function:refresh',
    'arn:aws:lambda:eu-west-1::function:refresh',
    'arn:aws:ec2:eu-west-1:111111111111:instance:i-1234567890abcdef0',
    `${ARN}:refresh:1:2`,
    `${ARN}:refresh:$LATES`,
    'function:refresh:$LATEST:extra',
  ].map((FunctionName) => ({ input: { FunctionName }, refusal: malformed(FunctionName), source: NAMES })),
];
