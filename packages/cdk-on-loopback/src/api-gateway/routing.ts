import { GatewayFailure } from './gateway-response';
import { decodePercent } from './incoming-request';
import { type Readings } from './readings';
import { type ApiDefinition, type ApiMethod, type ApiResource } from './rest-api';

export interface Route {
  resource: ApiResource;
  method: ApiMethod;
  pathParameters: Readonly<Record<string, string>>;
}

interface Part {
  /** As a function gets it. */
  value: string;
  decoded: string;
}

interface Match {
  resource: ApiResource;
  parameters: Record<string, string>;
}

/**
 * Finds the method for a request. At each level, fixed path parts take precedence over `{variables}`, and these over
 * `{greedy+}` ones; resources without the method are passed over. A trailing slash is ignored.
 * @throws {GatewayFailure} MISSING_AUTHENTICATION_TOKEN if the API does not have the path or method
 * @see API Gateway developer guide, api-gateway-method-settings-method-request (paths) and supported-gateway-response-types
 * @see https://github.com/localstack/localstack (test_proxy_routing_with_hardcoded_resource_sibling, validated on AWS)
 */
export function findRoute(
  { resources }: ApiDefinition,
  httpMethod: string,
  path: string,
  { pathParameters }: Readings,
): Route {
  const sent = path.replace(/\/$/, '').split('/').slice(1);
  const parts = sent.map((part): Part => {
    const decoded = decodePercent(part);
    return { value: pathParameters === 'decoded' ? decoded : part, decoded };
  });
  const root = [...resources.values()].find(({ parentId }) => parentId === undefined);
  const match = root && matchBelow(resources, { resource: root, parameters: {} }, parts, httpMethod);
  if (!match) {
    throw new GatewayFailure(
      'MISSING_AUTHENTICATION_TOKEN',
      'MissingAuthenticationTokenException',
      'Missing Authentication Token',
    );
  }
  return {
    resource: match.resource,
    method: methodOf(match.resource, httpMethod)!,
    pathParameters: match.parameters,
  };
}

function methodOf({ methods }: ApiResource, httpMethod: string): ApiMethod | undefined {
  return methods.get(httpMethod) ?? methods.get('ANY');
}

function matchBelow(
  resources: ApiDefinition['resources'],
  from: Match,
  parts: readonly Part[],
  httpMethod: string,
): Match | undefined {
  const [part, ...rest] = parts;
  if (part === undefined) return methodOf(from.resource, httpMethod) && from;
  const children = [...resources.values()].filter(({ parentId }) => parentId === from.resource.id);
  const bind = (resource: ApiResource, name: string, value: string): Match => ({
    resource,
    parameters: { ...from.parameters, [name]: value },
  });

  const fixed = children.find(({ path }) => !path.endsWith('}') && lastPart(path) === part.decoded);
  const below = fixed && matchBelow(resources, { ...from, resource: fixed }, rest, httpMethod);
  if (below) return below;
  if (part.decoded === '') return undefined;
  for (const resource of children) {
    const [, name] = /^\{([^+}]+)\}$/.exec(lastPart(resource.path)) ?? [];
    const below =
      name === undefined
        ? undefined
        : matchBelow(resources, bind(resource, name, part.value), rest, httpMethod);
    if (below) return below;
  }
  for (const resource of children) {
    const [, name] = /^\{([^}]+)\+\}$/.exec(lastPart(resource.path)) ?? [];
    if (name !== undefined && methodOf(resource, httpMethod)) {
      return bind(resource, name, parts.map(({ value }) => value).join('/'));
    }
  }
  return undefined;
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
