import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { mockClient } from 'aws-sdk-client-mock';

import { type Caller, findLoggingRole } from '../../prove/caller';

const CALLER: Caller = {
  place: { partition: 'aws', region: 'eu-west-1', accountId: '123456789012' },
  arn: 'arn:aws:iam::123456789012:user/me',
  settings: { region: 'eu-west-1', maxAttempts: 1 },
};
const apiGateway = mockClient(APIGatewayClient);
const find = () => findLoggingRole(CALLER, new AbortController().signal);

it.each([
  ['arn:aws:iam::123456789012:role/logging', true],
  ['', false],
  [undefined, false],
])('API Gateway has a logging role if it names one: %j', async (cloudwatchRoleArn, expected) => {
  apiGateway.on(GetAccountCommand).resolves({ cloudwatchRoleArn });

  expect(await find()).toBe(expected);
});

it('asks nothing of what is not AWS, which may not know the request', async () => {
  apiGateway.reset();

  expect(await findLoggingRole({ ...CALLER, endpoint: '127.0.0.1:4566' }, new AbortController().signal)).toBe(
    false,
  );
  expect(apiGateway.calls()).toEqual([]);
});

it('says which permission is missing', async () => {
  const message = 'User: x is not authorized to perform: apigateway:GET on resource: y';
  apiGateway
    .on(GetAccountCommand)
    .rejects(Object.assign(new Error(message), { name: 'AccessDeniedException' }));

  await expect(find()).rejects.toMatchObject({
    exitCode: 77,
    code: 'access_denied',
    message: 'apigateway:GET on /account was denied: you are not allowed to apigateway:GET',
    advice: expect.stringContaining('an administrator') as string,
  });
});
