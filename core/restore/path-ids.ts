interface RequestPath {
  readonly path?: string;
  readonly pathParameters?: Readonly<Record<string, string | undefined>> | null;
  readonly requestContext?: { readonly path?: unknown };
}

/**
 * The ids in the path of a restore request, percent-decoded once; empty if the path has none. Read from the path, because
 * AWS documents path parameters as decoded, and passes them on as sent.
 *
 * API Gateway authorized the request by its path parameters, so an id that differs from them counts as absent: a path that
 * arrives decoded could name another tenant by an encoded slash in the content id.
 * @see https://github.com/aws/aws-sam-cli/issues/771
 */
export function pathIds({ path = '', pathParameters }: RequestPath): { tenantId: string; contentId: string } {
  // From the end, because a custom domain may map a path in front: …/tenants/{tenantId}/contents/{contentId}/restore
  const parts = path.split('/');
  if (parts.at(-1) === '') parts.pop();
  return {
    tenantId: id(parts.at(-4), pathParameters?.tenantId),
    contentId: id(parts.at(-2), pathParameters?.contentId),
  };
}

/** A path with a single reading: nothing encoded, no empty part, no dot segment. */
const PLAIN_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[^/%]+)+$/;

/**
 * The same where IAM authorized the request: an id counts as absent unless the path spells it plainly. AWS does not say
 * whether policies see the path as sent, so an encoded letter could evade one that denies a tenant or a content. No client
 * needs to encode a character that the ids may have: all are unreserved. Extra slashes before the path are missing in the
 * event's `path`; only the context's path has them.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-control-access-using-iam-policies-to-invoke-api.html
 * @see https://github.com/localstack/localstack (test_lambda_aws_proxy_integration, recorded from AWS: slashes)
 * @see RFC 3986, section 2.3
 */
export function plainPathIds(request: RequestPath): ReturnType<typeof pathIds> {
  const { tenantId, contentId } = pathIds(request);
  const { path = '', requestContext } = request;
  if (String(requestContext?.path).includes('//')) return { tenantId: '', contentId: '' };
  const end = path.lastIndexOf('/');
  const start = path.lastIndexOf('/', end - 1) + 1;
  const withoutContent = start < end ? `${path.slice(0, start)}-${path.slice(end)}` : path;
  return {
    tenantId: PLAIN_PATH.test(withoutContent) ? tenantId : '',
    contentId: PLAIN_PATH.test(path) ? contentId : '',
  };
}

function id(part = '', parameter: string | undefined): string {
  const decodedPart = decoded(part);
  return parameter === part || parameter === decodedPart ? decodedPart : '';
}

function decoded(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
