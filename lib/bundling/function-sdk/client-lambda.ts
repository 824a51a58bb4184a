/**
 * Replaces `@aws-sdk/client-lambda` in the functions, which only invoke: the schemas of all other operations and errors would
 * be a quarter of a bundle. Both services take requests in the same way but for the operation, the endpoint and the protocol.
 */
import type * as lambda from '@aws-sdk/client-lambda';
import {
  $Command,
  SecretsManagerClient,
  type SecretsManagerClientConfig,
} from '@aws-sdk/client-secrets-manager';
import { partition } from '@aws-sdk/core/client';
import { AwsRestJsonProtocol } from '@aws-sdk/core/protocols';
import { getEndpointPlugin } from '@smithy/core/endpoints';

const NAMESPACE = 'com.amazonaws.lambda';

export class LambdaClient extends SecretsManagerClient {
  constructor(options: lambda.LambdaClientConfig = {}) {
    super({
      ...({ ...options, signingName: 'lambda' } as SecretsManagerClientConfig),
      serviceId: 'Lambda',
      apiVersion: '2015-03-31',
      protocol: AwsRestJsonProtocol,
      protocolSettings: { defaultNamespace: NAMESPACE, errorTypeRegistries: [] },
      endpointProvider: ({ Endpoint, Region = '', UseFIPS, UseDualStack }) => {
        if (Endpoint !== undefined) return { url: new URL(Endpoint) };
        const { dnsSuffix, dualStackDnsSuffix } = partition(Region);
        const name = UseFIPS ? 'lambda-fips' : 'lambda';
        return { url: new URL(`https://${name}.${Region}.${UseDualStack ? dualStackDnsSuffix : dnsSuffix}`) };
      },
    });
  }
}

/** The SDK's numbers: the type of a shape or member, and where HTTP carries the member. */
const [STRUCTURE, OPERATION, STRING, BLOB] = [3, 9, 0, 21] as const;
const PATH = 1;
const BODY = 16;

/** Only what the functions send and read. */
const INVOKE = [
  OPERATION,
  NAMESPACE,
  'Invoke',
  { http: ['POST', '/2015-03-31/functions/{FunctionName}/invocations', 200] },
  () => [
    STRUCTURE,
    NAMESPACE,
    'InvocationRequest',
    0,
    ['FunctionName', 'Payload'],
    [
      [STRING, PATH],
      [BLOB, BODY],
    ],
    1,
  ],
  () => [
    STRUCTURE,
    NAMESPACE,
    'InvocationResponse',
    0,
    ['FunctionError', 'Payload'],
    [
      [STRING, { httpHeader: 'X-Amz-Function-Error' }],
      [BLOB, BODY],
    ],
  ],
];

const ENDPOINT_PARAMETERS = {
  UseFIPS: { type: 'builtInParams', name: 'useFipsEndpoint' },
  Endpoint: { type: 'builtInParams', name: 'endpoint' },
  Region: { type: 'builtInParams', name: 'region' },
  UseDualStack: { type: 'builtInParams', name: 'useDualstackEndpoint' },
} as const;

export const InvokeCommand = $Command
  .classBuilder<lambda.InvokeCommandInput, lambda.InvokeCommandOutput, LambdaClient['config']>()
  .ep(ENDPOINT_PARAMETERS)
  .m((_command, _stack, config: LambdaClient['config']) => [getEndpointPlugin(config, ENDPOINT_PARAMETERS)])
  .s('AWSGirApiService', 'Invoke', {})
  .n('LambdaClient', 'InvokeCommand')
  .sc(INVOKE as never)
  .build();
