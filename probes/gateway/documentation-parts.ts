import { GetExportCommand } from '@aws-sdk/client-api-gateway';

import { notRun, type Probe, verdictOf } from '../probe';
import { type ApiSettings, restApiTemplate, withRestApi } from '../rest-api';

const KEPT = 'Text of the method.';
const REMOVED = 'Text of the API.';

/** The API with texts, of which the version is a copy. */
function settingsOf(version: string, { hasRemoved }: { hasRemoved: boolean }): ApiSettings {
  const part = (Location: object, description: string) => ({
    Type: 'AWS::ApiGateway::DocumentationPart',
    Properties: {
      ...{ RestApiId: { Ref: 'Api' }, Location, Properties: JSON.stringify({ description }) },
    },
  });
  const resources = {
    KeptText: { ...part({ Type: 'METHOD', Path: '/{id}', Method: 'GET' }, KEPT), DependsOn: 'Method' },
    ...(hasRemoved && { RemovedText: part({ Type: 'API' }, REMOVED) }),
    Texts: {
      Type: 'AWS::ApiGateway::DocumentationVersion',
      DependsOn: ['KeptText', ...(hasRemoved ? ['RemovedText'] : [])],
      Properties: { RestApiId: { Ref: 'Api' }, DocumentationVersion: version },
    },
  };
  return {
    stage: { DocumentationVersion: version },
    // A stage names a version that exists.
    stageDependsOn: 'Texts',
    more: { resources },
  };
}

export const documentationParts: Probe = {
  id: 'documentation-parts',
  group: 'gateway',
  subject: 'Documentation parts of an API with proxy integration',
  reliedOn:
    'they change no response; the export has each text in its place; a removed one is gone from the version after the next at the latest',
  otherwise: 'the export has old or missing texts',
  sources: [
    'https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-documenting-api-content-representation.html',
    'https://docs.aws.amazon.com/apigateway/latest/api/API_GetExport.html',
  ],
  look: (system) =>
    withRestApi(system, settingsOf('1', { hasRemoved: true }), async (api) => {
      const exported = async () => {
        const { body } = await system.aws.apiGateway.send(
          new GetExportCommand({
            ...{ restApiId: api.outputs.ApiId!, stageName: 'v1', exportType: 'oas30' },
            accepts: 'application/json',
          }),
        );
        return Buffer.from(body ?? []).toString();
      };
      const before = await api.ready('/one');
      let first: string;
      try {
        first = await exported();
      } catch (error) {
        if ((error as Error).name !== 'UnknownOperationException') throw error;
        return notRun('nothing exports APIs here');
      }
      const update = async (version: string) => {
        const template = restApiTemplate(system, settingsOf(version, { hasRemoved: false }));
        await system.stacks.deploy({ name: system.prefix, template });
        return exported();
      };
      const second = await update('2');
      const third = await update('3');
      const after = await api.get('/one');
      const { paths = {} } = JSON.parse(third) as {
        paths?: Record<string, { get?: { description?: string } }>;
      };
      const isInPlace = paths['/{id}']?.get?.description === KEPT;
      const isSame = after.status === before.status && after.body === before.body;
      return verdictOf(
        isInPlace && isSame && first.includes(REMOVED) && !third.includes(REMOVED),
        `the method's text is ${isInPlace ? '' : 'not '}in its place; a removed text is ` +
          `${second.includes(REMOVED) ? '' : 'not '}in the next version, and ${third.includes(REMOVED) ? '' : 'not '}in the one ` +
          `after it; answers are ${isSame ? 'the same' : 'others'}`,
      );
    }),
};
