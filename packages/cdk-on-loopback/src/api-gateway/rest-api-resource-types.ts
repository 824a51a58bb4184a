import { z } from 'zod';
import { type PolicyDocument } from '../account';
import {
  alreadyExists,
  description,
  invalidTemplate,
  irrelevant,
  notFound,
  physicalName,
  type ResourceContext,
  resourceType,
  type ResourceType,
  tags,
} from '../template/resource-type';
import { policyDocumentOf } from '../iam/policy-document';
import { apiArn } from './exchange';
import { createdId, requireApi, type ApiResource, type RestApi, type RestApis } from './rest-api';

/** The supported security policies. @see API Gateway developer guide, apigateway-security-policies-list */
const SECURITY_POLICIES = {
  TLS_1_0: { isTls13Only: false },
  TLS_1_2: { isTls13Only: false },
  SecurityPolicy_TLS13_1_2_2021_06: { isTls13Only: false },
  SecurityPolicy_TLS13_1_2_FIPS_PQ_2025_09: { isTls13Only: false },
  SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09: { isTls13Only: false },
  SecurityPolicy_TLS13_1_2_PQ_2025_09: { isTls13Only: false },
  SecurityPolicy_TLS13_1_3_2025_09: { isTls13Only: true },
  SecurityPolicy_TLS13_1_3_FIPS_2025_09: { isTls13Only: true },
} as const;
const SECURITY_POLICY_NAMES = Object.keys(SECURITY_POLICIES) as (keyof typeof SECURITY_POLICIES)[];
const MAX_POLICY_LENGTH = 8192;

const restApiProperties = z.strictObject({
  Name: z.string(),
  // An EDGE API is served as a REGIONAL one: there are no edge locations here.
  EndpointConfiguration: z
    .strictObject({
      Types: z.tuple([z.enum(['EDGE', 'REGIONAL', 'PRIVATE'])]),
      IpAddressType: irrelevant('loopback is IPv4'),
    })
    .prefault({ Types: ['EDGE'] }),
  Policy: policyDocumentOf('api').optional(),
  SecurityPolicy: z.enum(SECURITY_POLICY_NAMES).default('TLS_1_0'),
  EndpointAccessMode: z.enum(['BASIC', 'STRICT']).optional(),
  DisableExecuteApiEndpoint: irrelevant('an API has only its address here, whatever its domain names'),
  ApiKeySourceType: irrelevant('no usage plan counts anything here'),
  Description: description,
  Tags: tags,
});

export const restApi = (apis: RestApis): ResourceType =>
  resourceType(
    restApiProperties,
    (properties, context) => {
      const id = createdId(context, 10);
      const rootResourceId = createdId(context, 10);
      const root = { id: rootResourceId, path: '/', methods: new Map() };
      apis.byId.set(id, {
        id,
        ...settingsOf(id, properties, context),
        resources: new Map([[rootResourceId, root]]),
        authorizers: new Map(),
        gatewayResponses: new Map(),
        deployments: new Map(),
        stages: new Map(),
      });
      return { ref: id, attributes: { RestApiId: id, RootResourceId: rootResourceId } };
    },
    {
      update: (properties, context, { ref }) => {
        Object.assign(requireApi(apis, ref, context), settingsOf(ref, properties, context));
      },
      delete: ({ ref }) => void apis.byId.delete(ref),
    },
  );

function settingsOf(
  id: string,
  properties: z.output<typeof restApiProperties>,
  context: ResourceContext,
): Pick<RestApi, 'name' | 'isPrivate' | 'isTls13Only' | 'policy'> {
  const { EndpointConfiguration, Name, Policy, SecurityPolicy, EndpointAccessMode } = properties;
  if (SecurityPolicy.startsWith('SecurityPolicy_') && EndpointAccessMode === undefined) {
    throw invalidTemplate(context, `SecurityPolicy ${SecurityPolicy} needs an EndpointAccessMode`);
  }
  return {
    name: Name,
    isPrivate: EndpointConfiguration.Types[0] === 'PRIVATE',
    ...SECURITY_POLICIES[SecurityPolicy],
    policy: Policy && expandedPolicy(Policy, apiArn(context.account, { id }), context),
  };
}

export const resource = (apis: RestApis): ResourceType =>
  resourceType(
    z.strictObject({
      RestApiId: z.string(),
      ParentId: z.string(),
      PathPart: z.string().regex(/^(?:[\w.:-]+|\{[\w.:-]+\+?\})$/, 'letters, digits, ._-: or one {variable}'),
    }),
    ({ RestApiId, ParentId, PathPart }, context) => {
      const api = requireApi(apis, RestApiId, context);
      const parent = api.resources.get(ParentId);
      if (!parent) throw notFound(context, `the API has no resource ${ParentId}`);
      if (parent.path.endsWith('+}')) {
        throw invalidTemplate(
          context,
          `Cannot create a child of a resource with a greedy path variable: ${parent.path}`,
        );
      }
      const path = `${parent.path === '/' ? '' : parent.path}/${PathPart}`;
      requireFreePath([...api.resources.values()], path, context);
      const id = createdId(context, 6);
      api.resources.set(id, { id, parentId: ParentId, path, methods: new Map() });
      return { ref: id, attributes: { ResourceId: id } };
    },
    {
      replacedBy: ['ParentId', 'PathPart', 'RestApiId'],
      delete: ({ ref, properties }) => void apis.byId.get(properties.RestApiId)?.resources.delete(ref),
    },
  );

/** Account-wide settings: the last one created applies, even after its deletion. */
export const account = (apis: RestApis): ResourceType =>
  resourceType(
    z.strictObject({ CloudWatchRoleArn: z.string().optional() }),
    ({ CloudWatchRoleArn }, context) => {
      apis.cloudWatchRoleArn = CloudWatchRoleArn ?? apis.cloudWatchRoleArn;
      const id = physicalName(context);
      return { ref: id, attributes: { Id: id } };
    },
  );

/** Completes policy resources that begin at the stage. @see API Gateway developer guide, apigateway-resource-policies-create-attach */
function expandedPolicy(policy: PolicyDocument, arn: string, context: ResourceContext): PolicyDocument {
  if (JSON.stringify(policy).length > MAX_POLICY_LENGTH) {
    throw invalidTemplate(context, `Policy is longer than ${MAX_POLICY_LENGTH} characters`);
  }
  const expand = <T extends string | string[] | undefined>(resources: T): T => {
    const full = (text: string): string => text.replace(/^execute-api:\//, `${arn}/`);
    return (Array.isArray(resources) ? resources.map(full) : resources && full(resources)) as T;
  };
  const statements = [policy.Statement].flat().map((statement) => ({
    ...statement,
    ...(statement.Resource === undefined ? {} : { Resource: expand(statement.Resource) }),
    ...(statement.NotResource === undefined ? {} : { NotResource: expand(statement.NotResource) }),
  }));
  return { ...policy, Statement: statements };
}

function requireFreePath(resources: readonly ApiResource[], path: string, context: ResourceContext): void {
  const start = path.slice(0, path.lastIndexOf('/') + 1);
  const siblings = resources.filter((each) => each.path.slice(0, each.path.lastIndexOf('/') + 1) === start);
  if (siblings.some((each) => each.path === path)) {
    throw alreadyExists(context, `Another resource with the same parent already has this name: ${path}`);
  }
  const isGreedy = path.endsWith('+}');
  const variable = siblings.find((each) => each.path.endsWith('}') && each.path.endsWith('+}') === isGreedy);
  if (path.endsWith('}') && variable) {
    throw invalidTemplate(
      context,
      `A sibling (${variable.path}) of this resource already has a variable path part -- only one is allowed`,
    );
  }
}
