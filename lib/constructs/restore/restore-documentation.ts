import { sha256Hex } from '../../../contract/sha256';

import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';

import { restoreOpenApi, type RestoreApiDocument } from '../../../contract/openapi/restore-openapi';
import { modelSchema } from '../../../contract/openapi/json-schema';
import { RESTORE_PATH, type RestoreAuth } from '../../../contract/restore-operation';

/** The schemas that get a model, which includes the schemas that they refer to. */
const MODELS = ['ActingUser', 'RestoredRecord', 'Problem'] as const;

/** A documentation part: its location and its OpenAPI properties. */
interface Part {
  location: apigateway.CfnDocumentationPart.LocationProperty;
  properties: object;
}

/**
 * Adds the restore API's OpenAPI document to API Gateway, so that its export contains it: documentation parts, published
 * as the stage's version, and models of the bodies. With proxy integration and without a request validator, these
 * change no response. Call it after the API has its one method.
 * @param scope construct that contains the API's authorizer, if it has one
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-documenting-api-content-representation.html
 */
export function addRestoreDocumentation(scope: Construct, api: apigateway.RestApi, auth: RestoreAuth): void {
  const document = restoreOpenApi(auth);
  const documentation = new Construct(scope, 'Documentation');
  describeMethod(documentation, api, document);
  publish(documentation, api, partsOf(document, authorizerNames(scope)));
}

/** An export shows only the parameters, bodies and responses that the method declares. */
function describeMethod(scope: Construct, api: apigateway.RestApi, document: RestoreApiDocument): void {
  const { operationId, parameters, responses } = document.paths[RESTORE_PATH].post;
  const { schemas } = document.components;
  const model = (name: (typeof MODELS)[number]): string =>
    new apigateway.CfnModel(scope, name, {
      restApiId: api.restApiId,
      name,
      contentType: 'application/json',
      schema: modelSchema(schemas[name]!, schemas),
    }).ref;
  const [actingUser, record, problem] = MODELS.map(model);
  const method = api.methods[0]!.node.defaultChild as apigateway.CfnMethod;
  method.operationName = operationId;
  method.requestModels = { 'application/json': actingUser! };
  method.requestParameters = Object.fromEntries(
    parameters.map(({ name }) => [`method.request.path.${name}`, true]),
  );
  // A method has numbers only: https://docs.aws.amazon.com/apigateway/latest/api/API_PutMethodResponse.html
  const statuses = Object.keys(responses).filter((status) => status !== 'default');
  method.methodResponses = statuses.map((statusCode) => {
    const [mediaType, body] =
      statusCode === '200' ? ['application/json', record!] : ['application/problem+json', problem!];
    return { statusCode, responseModels: { [mediaType]: body } };
  });
  // A stage shows the description of its deployment, so a changed description needs a new deployment.
  api.latestDeployment?.addToLogicalId({ statuses: Object.keys(responses), schemas });
}

function publish(scope: Construct, api: apigateway.RestApi, parts: readonly Part[]): void {
  const { restApiId } = api;
  // A version is an immutable snapshot, so changed parts get a new one; the stage switches before the old one is deleted.
  const digest = sha256Hex(JSON.stringify(parts)).slice(0, 16);
  const version = new apigateway.CfnDocumentationVersion(scope, 'Version', {
    restApiId,
    documentationVersion: digest,
  });
  for (const { location, properties } of parts) {
    const { type, name = '', statusCode = '' } = location;
    const part = new apigateway.CfnDocumentationPart(scope, `${type}${name}${statusCode}`, {
      restApiId,
      location,
      properties: JSON.stringify(properties),
    });
    version.node.addDependency(part);
  }
  const stage = api.deploymentStage.node.defaultChild as apigateway.CfnStage;
  stage.documentationVersion = digest;
  stage.node.addDependency(version);
}

/** One part for each element that the document describes. */
function partsOf({ info, paths, components }: RestoreApiDocument, authorizers: readonly string[]): Part[] {
  const { summary, description, parameters, requestBody, responses } = paths[RESTORE_PATH].post;
  const at = { path: RESTORE_PATH, method: 'POST' };
  const schemes = Object.values(components.securitySchemes).map((scheme) => scheme.description);
  return [
    { location: { type: 'API' }, properties: { info: { description: info.description } } },
    { location: { type: 'METHOD', ...at }, properties: { summary, description } },
    ...parameters.map(({ name, description: text }) => ({
      location: { type: 'PATH_PARAMETER', ...at, name },
      properties: { description: text },
    })),
    { location: { type: 'REQUEST_BODY', ...at }, properties: { description: requestBody.description } },
    // Every other status is a star: https://docs.aws.amazon.com/apigateway/latest/api/API_DocumentationPartLocation.html
    ...Object.entries(responses).map(([status, response]) => ({
      location: { type: 'RESPONSE', ...at, statusCode: status === 'default' ? '*' : status },
      properties: { description: response.description },
    })),
    ...authorizers.map((name) => ({
      location: { type: 'AUTHORIZER', name },
      properties: { description: schemes.join(' ') },
    })),
  ];
}

function authorizerNames(scope: Construct): string[] {
  return scope.node
    .findAll()
    .filter((each): each is apigateway.CfnAuthorizer => each instanceof apigateway.CfnAuthorizer)
    .map(({ name }) => name);
}
