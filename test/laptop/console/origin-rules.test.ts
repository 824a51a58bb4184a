import { originRefusal } from '../../../laptop/console/origin-rules';

const PORT = 4321;

test.each([
  ['a typed address', { host: '127.0.0.1:4321', 'sec-fetch-site': 'none' }],
  ['a program', { host: 'localhost:4321' }],
  [
    'the page itself',
    { host: '127.0.0.1:4321', origin: 'http://127.0.0.1:4321', 'sec-fetch-site': 'same-origin' },
  ],
])('a request of %s is accepted', (_, headers) => {
  expect(originRefusal(headers, PORT)).toBeUndefined();
});

test.each([
  ['another name for this address (DNS rebinding)', { host: 'evil.example:4321' }],
  ['another port', { host: '127.0.0.1:4322' }],
  ['no host', {}],
  ['a foreign page', { host: '127.0.0.1:4321', origin: 'https://evil.example' }],
  ['a page on another port', { host: '127.0.0.1:4321', origin: 'http://127.0.0.1:9999' }],
  ['the other name of this machine', { host: '127.0.0.1:4321', origin: 'http://localhost:4321' }],
  ['a file or a sandboxed frame', { host: '127.0.0.1:4321', origin: 'null' }],
  ['a foreign image or link', { host: '127.0.0.1:4321', 'sec-fetch-site': 'cross-site' }],
  ['another server of this machine', { host: '127.0.0.1:4321', 'sec-fetch-site': 'same-site' }],
])('a request of %s is rejected', (_, headers) => {
  expect(originRefusal(headers, PORT)).toMatch(/^the console (accepts requests for|rejects requests from)/);
});
