import { join } from 'node:path';

import { type Configuration } from '../../lib/options/schema';
import { loadConfiguration } from '../../lib/options/load';
import { configuration } from '../support/lib/configuration';
import { EDGES } from '../support/lib/edge';
import { synthesizeOnce } from '../support/lib/synthesis';

/**
 * A method without authorization would be open, and behind an interface endpoint with a policy of its own, API Gateway could
 * take a caller's `Authorization` header for a signature.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-vpc-endpoint-policies.html
 */
describe.each<[string, 'CUSTOM' | 'AWS_IAM', Configuration]>([
  ['config/local.json', 'CUSTOM', loadConfiguration(join(__dirname, '../../config/local.json'))],
  ['config/example.json', 'CUSTOM', loadConfiguration(join(__dirname, '../../config/example.json'))],
  ['iam mode', 'AWS_IAM', configuration({ restoreApi: { auth: 'iam' } })],
  ...Object.entries(EDGES).map(([name, restoreApi]): [string, 'CUSTOM' | 'AWS_IAM', Configuration] => [
    name,
    'auth' in restoreApi ? 'AWS_IAM' : 'CUSTOM',
    configuration({ restoreApi }),
  ]),
])('every method of the restore API with %s', (_, authorization, value) => {
  const methods = synthesizeOnce(value).resources('AWS::ApiGateway::Method');

  it(`is authorized: ${authorization}`, () => {
    expect(methods.length).toBeGreaterThan(0);
    for (const { logicalId, Properties } of methods) {
      const { AuthorizationType, AuthorizerId } = Properties;
      expect({ logicalId, AuthorizationType, hasAuthorizer: AuthorizerId !== undefined }).toEqual({
        logicalId,
        AuthorizationType: authorization,
        hasAuthorizer: authorization === 'CUSTOM',
      });
    }
  });
});
