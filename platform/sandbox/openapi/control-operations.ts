import { body, empty, TOO_LARGE } from './answer-parts';
import { notFound, ok, operation, TENANT } from './control-operation';
import { settingOperations } from './control-setting-operations';
import { type Answer, type ServedOperation } from './openapi-document';

/** All operations of the control interface, by subject. */
export function controlOperations(): ServedOperation[] {
  return [
    ...faultOperations(),
    ...timeOperations(),
    ...tenantOperations(),
    ...contentOperations(),
    ...credentialOperations(),
    ...settingOperations(),
    ...observationOperations(),
  ];
}

function faultOperations(): ServedOperation[] {
  return [
    operation('POST /faults', 'addFault', 'faults', {
      summary: 'Inject a fault',
      description:
        'Applies a fault to matching requests to the target, the given number of times. The fault answers instead of the ' +
        'platform (status, headers, body), delays, truncates, slows down or breaks the platform’s answer, makes a service ' +
        'that operations depend on fail (dependency, answers 502), or presents a wrong certificate to new connections ' +
        '(needs --separate-ports). With a probability, the same seed picks the same requests if they arrive in the same ' +
        'order.',
      request: body('Fault', { target: 'content', match: { environment: 'staging' }, status: 503, times: 2 }),
      answers: { 201: ok('Fault', 'The fault, now active.') },
    }),
    operation('GET /faults', 'listFaults', 'faults', {
      summary: 'List active faults',
      answers: { 200: ok('Faults', 'Active faults, oldest first, with their remaining times.') },
    }),
    operation('DELETE /faults', 'deleteFaults', 'faults', {
      summary: 'Delete all faults',
      answers: { 204: empty('No fault is active.'), 413: TOO_LARGE },
    }),
  ];
}

function timeOperations(): ServedOperation[] {
  return [
    operation('POST /clock', 'advanceClock', 'time', {
      summary: 'Move the clock forward',
      request: body('Clock', { advanceSec: 3600 }),
      answers: { 200: ok('Now', 'The new platform time.') },
    }),
    operation('POST /reset', 'reset', 'time', {
      summary: 'Reset the sandbox',
      description:
        'Restores contents and settings to the seed, and clears faults, counters, recent requests and the audit trail. ' +
        'Keeps tenants, credentials, API keys, sessions, tokens and the time.',
      answers: { 204: empty('The sandbox is reset.'), 413: TOO_LARGE },
    }),
  ];
}

function tenantOperations(): ServedOperation[] {
  return [
    operation('GET /tenants', 'listTenants', 'tenants', {
      summary: 'List tenants',
      answers: { 200: ok('Tenants', 'Each tenant with the identifiers that requests need.') },
    }),
    operation('POST /tenants', 'addTenant', 'tenants', {
      summary: 'Add a tenant',
      description:
        'Takes the fields of a tenant in the seed. The sandbox must serve its environment and platform region. Its ' +
        'identifier and the ids of its contents must be unused, and contents may refer only to its own users and ' +
        'collaborations. A reset keeps the tenant.',
      request: body('AddedTenant', {
        ...TENANT,
        tenantId: 'me-south-1_Added',
        authorRefs: ['author-1'],
        contents: [{ status: 'archived', title: 'First aid', authorRef: 'author-1' }],
      }),
      answers: { 201: ok('Tenant', 'The added tenant.') },
    }),
  ];
}

function contentOperations(): ServedOperation[] {
  return [
    operation('POST /contents', 'addContents', 'contents', {
      summary: 'Add contents to a tenant',
      description: 'All added contents have the same status and items. The next reset removes them.',
      request: body('AddedContents', { ...TENANT, status: 'archived', count: 3 }),
      answers: { 201: ok('ContentIds', 'The ids of the added contents.') },
    }),
    operation('GET /contents/{environment}/{platformRegion}/{tenantId}', 'listStoredContents', 'contents', {
      summary: 'List all stored contents of a tenant',
      answers: { 200: ok('Contents', 'All contents, deleted ones last.'), 404: notFound('tenant') },
    }),
    operation(
      'GET /contents/{environment}/{platformRegion}/{tenantId}/{contentId}',
      'getStoredContent',
      'contents',
      {
        summary: 'Get a stored content',
        answers: {
          200: ok('Content', 'The content, with its current status.'),
          404: notFound('tenant or content'),
        },
      },
    ),
  ];
}

function credentialOperations(): ServedOperation[] {
  const ended = (what: string) => ({ 204: empty('No longer accepted.'), 404: notFound(what) });
  return [
    operation('POST /credentials', 'issueCredential', 'credentials', {
      summary: 'Issue a client credential, as support does',
      request: body('TenantReference', TENANT),
      answers: { 201: ok('Credential', 'The new credential. Older ones stay valid.') },
    }),
    operation('DELETE /credentials', 'endCredential', 'credentials', {
      summary: 'Revoke a client credential and its tokens',
      request: body('CredentialToEnd', { clientId: 'CLIENT_ID' }),
      answers: ended('live credential'),
    }),
    operation('POST /api-keys', 'issueApiKey', 'credentials', {
      summary: 'Generate an API key, as an administrator does',
      request: body('TenantReference', TENANT),
      answers: { 201: ok('ApiKey', 'The new key. Older keys stay valid.') },
    }),
    operation('DELETE /api-keys', 'endApiKey', 'credentials', {
      summary: 'Revoke an API key',
      request: body('ApiKeyToEnd', { apiKey: 'API_KEY' }),
      answers: ended('API key'),
    }),
    operation('POST /sessions', 'openSession', 'credentials', {
      summary: 'Log a user in to a tenant',
      request: body('SessionToOpen', { ...TENANT, administrator: true }),
      answers: {
        201: ok(
          'Session',
          'The headers that the browser sends. authorization is the whole header value, including Bearer.',
        ),
      },
    }),
    operation('DELETE /sessions', 'endSession', 'credentials', {
      summary: 'Log a user out',
      request: body('SessionToEnd', { authorization: 'Bearer ADMIN_SESSION_TOKEN' }),
      answers: ended('session'),
    }),
    operation('DELETE /tokens', 'endToken', 'credentials', {
      summary: 'Revoke an access token',
      request: body('TokenToEnd', { accessToken: 'ACCESS_TOKEN' }),
      answers: ended('access token'),
    }),
  ];
}

function observationOperations(): ServedOperation[] {
  const document = (described: string): Answer => ({
    description: `The OpenAPI document of ${described}.`,
    content: { 'application/json': { schema: { type: 'object' } } },
  });
  return [
    operation('GET /addresses', 'getAddresses', 'observation', {
      summary: 'List all addresses',
      answers: { 200: ok('Addresses', 'Absolute addresses, without a trailing slash.') },
    }),
    operation('GET /requests', 'listRequests', 'observation', {
      summary: 'List recent requests to the platform',
      answers: { 200: ok('Requests', 'The last 200 requests, oldest first.') },
    }),
    operation('GET /counters', 'listCounters', 'observation', {
      summary: 'Count requests to the platform',
      answers: { 200: ok('Counters', 'Request counts by target, method, path and status.') },
    }),
    operation('GET /audit', 'listChanges', 'observation', {
      summary: 'List changes of contents',
      answers: { 200: ok('Changes', 'Changes with their acting users, oldest first.') },
    }),
    operation('GET /openapi/interface.json', 'getInterfaceDocument', 'observation', {
      summary: 'Get the OpenAPI document of the platform',
      answers: { 200: document("the platform's interface") },
    }),
    operation('GET /openapi/control.json', 'getControlDocument', 'observation', {
      summary: 'Get the OpenAPI document of control',
      answers: { 200: document('the control interface') },
    }),
  ];
}
