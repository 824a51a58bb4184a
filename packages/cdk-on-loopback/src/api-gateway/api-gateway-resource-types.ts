import {
  arnOf,
  inert,
  noOp,
  physicalName,
  type ResourceContext,
  type ResourceType,
} from '../template/resource-type';
import { type CreatedResource } from '../template/resolve';
import { account, resource, restApi } from './rest-api-resource-types';
import { gatewayResponse } from './gateway-response-resource-type';
import { authorizer, method } from './method-resource-types';
import { type RestApis } from './rest-api';
import { deployment, stage } from './stage-resource-types';

const withId =
  (attribute: string) =>
  (context: ResourceContext): CreatedResource => {
    const id = physicalName(context);
    return { ref: id, attributes: { [attribute]: id } };
  };

const webAcl = (context: ResourceContext): CreatedResource => {
  const [name, id] = [physicalName(context), context.random(36)];
  const arn = arnOf(context, 'wafv2', `regional/webacl/${name}/${id}`);
  return { ref: `${name}|${id}|REGIONAL`, attributes: { Arn: arn, Id: id } };
};

/** Its `Ref` is the domain name, at which no server answers here. */
const domainName = (context: ResourceContext, { DomainName }: Record<string, unknown>): CreatedResource => ({
  ref: String(DomainName),
  attributes: {},
  attributeOf: () => physicalName(context),
});

/**
 * The resource types of REST APIs, for the provisioner (`ProvisionOptions.types`). They create their resources in `apis`.
 * Types without effect here are declared with the reason.
 */
export function apiGatewayResourceTypes(apis: RestApis): Readonly<Record<string, ResourceType>> {
  return {
    'AWS::ApiGateway::Account': account(apis),
    ...inert('AWS::ApiGateway::ApiKey', withId('APIKeyId')),
    'AWS::ApiGateway::Authorizer': authorizer(apis),
    ...inert('AWS::ApiGateway::BasePathMapping'),
    'AWS::ApiGateway::Deployment': deployment(apis),
    'AWS::ApiGateway::DocumentationPart': noOp('documentation changes no response'),
    'AWS::ApiGateway::DocumentationVersion': noOp('documentation changes no response'),
    ...inert('AWS::ApiGateway::DomainName', domainName),
    'AWS::ApiGateway::GatewayResponse': gatewayResponse(apis),
    'AWS::ApiGateway::Method': method(apis),
    'AWS::ApiGateway::Model': noOp('a model without a request validator is documentation'),
    'AWS::ApiGateway::RequestValidator': noOp(
      'a method that uses a request validator is refused',
      withId('RequestValidatorId'),
    ),
    'AWS::ApiGateway::Resource': resource(apis),
    'AWS::ApiGateway::RestApi': restApi(apis),
    'AWS::ApiGateway::Stage': stage(apis),
    ...inert('AWS::ApiGateway::UsagePlan', withId('Id')),
    ...inert('AWS::ApiGateway::UsagePlanKey', withId('Id')),
    ...inert('AWS::WAFv2::WebACL', webAcl),
    ...inert('AWS::WAFv2::WebACLAssociation'),
  };
}
