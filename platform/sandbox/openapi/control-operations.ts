import { body, empty, TOO_LARGE } from './answer-parts';
import { notThere, ok, operation, TENANT } from './control-operation';
import { settingOperations } from './control-setting-operations';
import { type Answer, type ServedOperation } from './openapi-document';

/** All of control's operations, by subject. */
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
      summary: 'Let something go wrong',
      description:
        'A fault meets requests to its target that match, until it was met so many times. It answers instead of the platform ' +
        '(status, body, headers: what a redirect is made of), or delays, cuts off, slows down or breaks what the platform ' +
        'answers; or a service that operations depend on fails (dependency, answered with 502); or new connections are ' +
        'presented a wrong certificate (only where each address has a port of its own). With a probability, the seed ' +
        'decides alike about requests in the same order.',
      request: body('Fault', { target: 'content', match: { environment: 'staging' }, status: 503, times: 2 }),
      answers: { 201: ok('Fault', 'The fault is in force.') },
    }),
    operation('GET /faults', 'listFaults', 'faults', {
      summary: 'List the faults in force',
      answers: { 200: ok('Faults', 'The oldest first, with the times that are left.') },
    }),
    operation('DELETE /faults', 'deleteFaults', 'faults', {
      summary: 'End all faults',
      answers: { 204: empty('There are none.'), 413: TOO_LARGE },
    }),
  ];
}

function timeOperations(): ServedOperation[] {
  return [
    operation('POST /clock', 'advanceClock', 'time', {
      summary: 'Let time pass',
      request: body('Clock', { advanceSec: 3600 }),
      answers: { 200: ok('Now', "The platform's time.") },
    }),
    operation('POST /reset', 'reset', 'time', {
      summary: 'Begin again',
      description:
        'Contents and settings as in the seed, no fault, nothing counted, remembered or recorded. Tenants, credentials, API ' +
        'keys, sessions, tokens and the time stay.',
      answers: { 204: empty('All is as at the start.'), 413: TOO_LARGE },
    }),
  ];
}

function tenantOperations(): ServedOperation[] {
  return [
    operation('GET /tenants', 'listTenants', 'tenants', {
      summary: 'List the tenants',
      answers: { 200: ok('Tenants', 'Each with the names that requests need.') },
    }),
    operation('POST /tenants', 'addTenant', 'tenants', {
      summary: 'Add a tenant',
      description:
        'As in a seed. Its environment and platform region have to be served by this sandbox; its identifier and the ids of its contents have to be new; ' +
        'who a content refers to has to be one of its own references. It stays through a reset.',
      request: body('AddedTenant', {
        ...TENANT,
        tenantId: 'me-south-1_Added',
        authorRefs: ['author-1'],
        contents: [{ status: 'archived', title: 'First aid', authorRef: 'author-1' }],
      }),
      answers: { 201: ok('Tenant', 'The tenant.') },
    }),
  ];
}

function contentOperations(): ServedOperation[] {
  return [
    operation('POST /contents', 'addContents', 'contents', {
      summary: 'Give a tenant more contents',
      description: 'Of one kind. They are gone with the next reset.',
      request: body('AddedContents', { ...TENANT, status: 'archived', count: 3 }),
      answers: { 201: ok('ContentIds', 'Their ids.') },
    }),
    operation('GET /contents/{environment}/{platformRegion}/{tenantId}', 'listStoredContents', 'contents', {
      summary: 'Look at what is stored of all contents of a tenant',
      answers: { 200: ok('Contents', 'The deleted ones last.'), 404: notThere('tenant') },
    }),
    operation(
      'GET /contents/{environment}/{platformRegion}/{tenantId}/{contentId}',
      'getStoredContent',
      'contents',
      {
        summary: 'Look at what is stored of one content',
        answers: { 200: ok('Content', 'With its status by the clock.'), 404: notThere('tenant, or content') },
      },
    ),
  ];
}

function credentialOperations(): ServedOperation[] {
  const ended = (what: string) => ({ 204: empty('It is not accepted any more.'), 404: notThere(what) });
  return [
    operation('POST /credentials', 'issueCredential', 'credentials', {
      summary: 'Issue a client credential, as support does',
      request: body('TenantReference', TENANT),
      answers: { 201: ok('Credential', 'The pair. Older pairs stay live.') },
    }),
    operation('DELETE /credentials', 'endCredential', 'credentials', {
      summary: 'End a client credential and its tokens',
      request: body('CredentialToEnd', { clientId: 'CLIENT_ID' }),
      answers: ended('live credential'),
    }),
    operation('POST /api-keys', 'issueApiKey', 'credentials', {
      summary: 'Generate an API key, as an administrator does',
      request: body('TenantReference', TENANT),
      answers: { 201: ok('ApiKey', 'The key. Older keys stay valid.') },
    }),
    operation('DELETE /api-keys', 'endApiKey', 'credentials', {
      summary: 'End an API key',
      request: body('ApiKeyToEnd', { apiKey: 'API_KEY' }),
      answers: ended('API key'),
    }),
    operation('POST /sessions', 'openSession', 'credentials', {
      summary: 'Log a user in at the site of a tenant',
      request: body('SessionToOpen', { ...TENANT, administrator: true }),
      answers: {
        201: ok(
          'Session',
          'The headers that the browser sends; authorization is the whole value, Bearer included.',
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
      summary: 'Look up where everything is',
      answers: { 200: ok('Addresses', 'Absolute addresses, without a slash at the end.') },
    }),
    operation('GET /requests', 'listRequests', 'observation', {
      summary: 'List the last requests to the platform',
      answers: { 200: ok('Requests', 'The last 200, the oldest first.') },
    }),
    operation('GET /counters', 'listCounters', 'observation', {
      summary: 'Count the requests to the platform',
      answers: { 200: ok('Counters', 'How many there were of each kind.') },
    }),
    operation('GET /audit', 'listChanges', 'observation', {
      summary: 'List the changes of contents',
      answers: { 200: ok('Changes', 'With their acting users, the oldest first.') },
    }),
    operation('GET /openapi/interface.json', 'getInterfaceDocument', 'observation', {
      summary: 'Describe the platform',
      answers: { 200: document("the platform's interface") },
    }),
    operation('GET /openapi/control.json', 'getControlDocument', 'observation', {
      summary: 'Describe control',
      answers: { 200: document('control') },
    }),
  ];
}
