import { restoreOpenApi } from '../../../../contract/openapi/restore-openapi';
import { RESTORE_PATH } from '../../../../contract/restore-operation';
import { configuration } from '../../../support/lib/configuration';
import { type PlacedResource, type Synthesis, synthesizeOnce } from '../../../support/lib/synthesis';

const MODES = ['platform', 'iam'] as const;
const synthesisOf = (auth: (typeof MODES)[number]) => synthesizeOnce(configuration({ restoreApi: { auth } }));
const synthesized = { platform: synthesisOf('platform'), iam: synthesisOf('iam') };

interface Location {
  Type: string;
  Name?: string;
  StatusCode?: string;
  Path?: string;
  Method?: string;
}
const locationOf = ({ Properties }: PlacedResource) => Properties.Location as Location;
const partsOf = (synthesis: Synthesis) => synthesis.resources('AWS::ApiGateway::DocumentationPart');
const versionOf = (synthesis: Synthesis) => synthesis.only('AWS::ApiGateway::DocumentationVersion');

describe.each(MODES)('the documentation of the restore API in %s mode', (mode) => {
  const synthesis = synthesized[mode];
  const operation = restoreOpenApi(mode).paths[RESTORE_PATH].post;
  const textsOf = (type: string, key: (location: Location) => string) =>
    Object.fromEntries(
      partsOf(synthesis)
        .filter((part) => locationOf(part).Type === type)
        .map((part) => [
          key(locationOf(part)),
          (JSON.parse(part.Properties.Properties as string) as { description: string }).description,
        ]),
    );

  it('describes every status as the OpenAPI document does', () => {
    const documented = Object.entries(operation.responses).map(([status, { description }]) => [
      status === 'default' ? '*' : status,
      description,
    ]);

    expect(textsOf('RESPONSE', ({ StatusCode }) => StatusCode!)).toEqual(Object.fromEntries(documented));
  });

  it('describes the API, the method, its parameters and its body', () => {
    const types = partsOf(synthesis).map((part) => locationOf(part).Type);

    expect(types).toEqual(expect.arrayContaining(['API', 'METHOD', 'REQUEST_BODY']));
    expect(textsOf('PATH_PARAMETER', ({ Name }) => Name!)).toEqual(
      Object.fromEntries(operation.parameters.map(({ name, description }) => [name, description])),
    );
  });

  it('describes the authorizer if there is one', () => {
    const authorizers = synthesis.resources('AWS::ApiGateway::Authorizer');

    expect(Object.keys(textsOf('AUTHORIZER', ({ Name }) => Name!))).toEqual(
      authorizers.map(({ Properties }) => Properties.Name),
    );
    expect(authorizers).toHaveLength(mode === 'platform' ? 1 : 0);
  });

  it('has each part at its own location of the route', () => {
    const locations = partsOf(synthesis).map(locationOf);

    for (const { Type, Path, Method } of locations) {
      if (Type === 'API' || Type === 'AUTHORIZER') continue;
      expect([Path, Method]).toEqual([RESTORE_PATH, 'POST']);
    }
    expect(new Set(locations.map((each) => JSON.stringify(each))).size).toBe(locations.length);
  });

  it('is published on the stage after all its parts', () => {
    const version = versionOf(synthesis);
    const stage = synthesis.only('AWS::ApiGateway::Stage');

    expect([...version.DependsOn!].sort()).toEqual(
      partsOf(synthesis)
        .map(({ logicalId }) => logicalId)
        .sort(),
    );
    expect(stage.Properties.DocumentationVersion).toBe(version.Properties.DocumentationVersion);
    expect(stage.DependsOn).toContain(version.logicalId);
  });

  it('has JSON Schema draft 4 models that API Gateway accepts', () => {
    const models = synthesis.resources('AWS::ApiGateway::Model');

    expect(models.map(({ Properties }) => Properties.Name)).toEqual([
      'ActingUser',
      'RestoredRecord',
      'Problem',
    ]);
    for (const { Properties } of models) {
      expect(Properties.Schema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(JSON.stringify(Properties.Schema)).not.toMatch(/"(\$ref|\$id|const|example|examples)":/);
    }
  });

  it('declares the method’s requests and responses without validation by API Gateway', () => {
    const { Properties: method } = synthesis.only('AWS::ApiGateway::Method');
    const [actingUser, record, problem] = synthesis
      .resources('AWS::ApiGateway::Model')
      .map(({ logicalId }) => ({ Ref: logicalId }));

    expect(method).toMatchObject({
      OperationName: 'restoreContent',
      RequestModels: { 'application/json': actingUser },
      RequestParameters: { 'method.request.path.tenantId': true, 'method.request.path.contentId': true },
    });
    expect(method.MethodResponses).toEqual(
      Object.keys(operation.responses)
        .filter((status) => status !== 'default')
        .map((StatusCode) => ({
          StatusCode,
          ResponseModels:
            StatusCode === '200' ? { 'application/json': record } : { 'application/problem+json': problem },
        })),
    );
    expect(method).not.toHaveProperty('RequestValidatorId');
  });
});

it('the version changes only with the documentation', () => {
  const again = synthesisOf('platform');

  const nameOf = (synthesis: Synthesis) => versionOf(synthesis).Properties.DocumentationVersion;
  expect(nameOf(again)).toBe(nameOf(synthesized.platform));
  expect(nameOf(synthesized.iam)).not.toBe(nameOf(synthesized.platform));
});
