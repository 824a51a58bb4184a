import { ok, operation } from './control-operation';
import { type Answer, type ServedOperation } from './openapi-document';

/** What there is to be looked at. */
export function observationOperations(): ServedOperation[] {
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
