/** Requests designed to be expensive. API Gateway accepts 10 MB; an invocation accepts 6 MB. */
import { CONTENT_ID, restoreEvent, TENANT_ID } from './restore-request.mjs';

const MOST_BYTES = 6_000_000;
const CAP_BYTES = 16 * 1_024;

const withBody = (body, isBase64Encoded = false) => {
  return () => ({ ...restoreEvent(), body, isBase64Encoded });
};
const withContentId = (contentId) => {
  const path = `/tenants/${TENANT_ID}/contents/${contentId}/restore`;
  return () => ({ ...restoreEvent(), path, pathParameters: { tenantId: TENANT_ID, contentId } });
};
const withContentType = (contentType) => {
  return () => ({ ...restoreEvent(), multiValueHeaders: { 'Content-Type': [contentType] } });
};

const filled = (unit, bytes) => unit.repeat(Math.floor(bytes / unit.length));
const keys = Array.from({ length: 1_500 }, (_, i) => `"k${i}":0`).join(',');

export const HOSTILE = [
  { name: 'arrays in arrays, 6 MB', event: withBody(filled('[', MOST_BYTES)) },
  { name: 'arrays in arrays, closed, 16 KiB', event: withBody('['.repeat(8_192) + ']'.repeat(8_192)) },
  { name: 'objects in objects, 16 KiB', event: withBody(filled('{"a":', CAP_BYTES)) },
  { name: '1,500 fields, 16 KiB', event: withBody(`{${keys}}`) },
  { name: 'one field 1,600 times, 16 KiB', event: withBody(`{${filled('"a":0,', CAP_BYTES - 16)}"b":0}`) },
  { name: 'a text of 6 MB', event: withBody(`{"authorRef":"${filled('a', MOST_BYTES)}"}`) },
  {
    name: 'a text of escapes, 16 KiB',
    event: withBody(`{"authorRef":"${filled('\\u0061', CAP_BYTES - 32)}"}`),
  },
  { name: 'a number of 16,000 digits', event: withBody(`{"authorRef":${filled('9', 16_000)}}`) },
  {
    name: 'spaces between two letters, 16 KiB',
    event: withBody(`{"authorRef":"a${' '.repeat(16_000)}\\n"}`),
  },
  {
    name: 'base64 of no UTF-8, 6 MB',
    event: withBody(Buffer.alloc(MOST_BYTES * 0.75, 0xff).toString('base64'), true),
  },
  { name: 'a content id of 8,000 letters', event: withContentId(filled(CONTENT_ID, 8_000)) },
  { name: 'a content id of 4,000 dots', event: withContentId(filled('.', 4_000)) },
  { name: 'a media type with 8,000 spaces', event: withContentType(`application/json${' '.repeat(8_000)}x`) },
];
