import { type Variant } from '../variant';

/** What begins like TLS goes to the server as it is; all else to one of plain HTTP that answers the same. */
const ALSO_PLAIN = `
  const plain = require('node:http').createServer(requestListener(fetch));
  const front = require('node:net').createServer((socket) =>
    socket.once('data', (first) => {
      socket.pause();
      socket.unshift(first);
      (first[0] === 0x16 ? server : plain).emit('connection', socket);
      process.nextTick(() => socket.resume());
    }),
  );
  front.listen(port, LOOPBACK, resolve);
  server.address = () => front.address();
  server.close = (done) => front.close(done);
`;
const PLAIN = {
  file: 'sandbox/server.ts',
  from: 'server.listen(port, LOOPBACK, resolve);',
  to: ALSO_PLAIN,
} as const;

/** Variants that serve plain HTTP. */
export const TRANSPORT_VARIANTS: readonly Variant[] = [
  { clause: 'common-rules/rule-1', ...PLAIN },
  { clause: 'limits/row-transport', ...PLAIN },
];
