/**
 * The ids in the path of a restore request, percent-decoded once; empty if the path has none. Read from the path, which
 * always arrives as sent: AWS documents its path parameters as decoded, and passes them on as sent.
 * @see https://github.com/aws/aws-sam-cli/issues/771
 */
export function pathIds({ path = '' }: { readonly path?: string }): { tenantId: string; contentId: string } {
  // From the end, because a custom domain may map a path in front: …/tenants/{tenantId}/contents/{contentId}/restore
  const parts = path.replace(/\/$/, '').split('/');
  return { tenantId: decoded(parts.at(-4)), contentId: decoded(parts.at(-2)) };
}

function decoded(part = ''): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
