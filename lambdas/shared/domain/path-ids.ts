interface RequestPath {
  readonly path?: string;
  readonly pathParameters?: Readonly<Record<string, string | undefined>> | null;
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
  const parts = path.replace(/\/$/, '').split('/');
  return {
    tenantId: id(parts.at(-4), pathParameters?.tenantId),
    contentId: id(parts.at(-2), pathParameters?.contentId),
  };
}

function id(part = '', parameter: string | undefined): string {
  const decodedPart = decoded(part);
  return parameter === part || parameter === decodedPart ? decodedPart : '';
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
