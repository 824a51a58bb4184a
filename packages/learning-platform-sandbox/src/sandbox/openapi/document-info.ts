/** What both OpenAPI documents begin with. */
export function documentInfo(title: string, description: string) {
  const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' };
  return { openapi: '3.1.1', info: { title, version: '1', description, license }, security: [] };
}

/** The server variable for the sandbox's origin. */
export const ORIGIN = {
  default: 'https://127.0.0.1:8443',
  description: 'With --separate-ports every address has its own origin: GET /_sandbox/addresses lists them.',
};
