/**
 * Whether the first media type of a `Content-Type` or `Accept` header is one of the API's binary ones. A request without the
 * header is taken for JSON.
 * @see API Gateway developer guide, api-gateway-payload-encodings (wildcards, Accept), api-gateway-payload-encodings-workflow
 */
export function isBinary(binaryMediaTypes: readonly string[], header = 'application/json'): boolean {
  const [first = ''] = header.split(/[,;]/);
  const [wanted] = first.trim().split('/');
  return binaryMediaTypes.some((type) => ['*/*', `${wanted}/*`, first.trim()].includes(type));
}
