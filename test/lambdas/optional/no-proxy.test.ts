import { bypassesProxy } from '../../../lambdas/shared/adapters/no-proxy';

describe('a list of hosts without the proxy', () => {
  it.each<[entry: string, host: string, port?: number]>([
    ['*', 'api.example.com'],
    ['example.com', 'example.com'],
    ['example.com', 'api.example.com'],
    ['Example.COM', 'API.example.com.'],
    ['.example.com', 'api.example.com'],
    ['*.example.com', 'a.b.example.com'],
    ['example.com:443', 'api.example.com', 443],
    [' example.com ', 'example.com'],
    ['127.0.0.1', '127.0.0.1'],
    ['10.0.0.0/8', '10.200.3.4'],
    ['10.0.0.0/8:8443', '10.200.3.4', 8443],
    ['::1', '::1'],
    ['fd00::/8', 'fd12:3456::1'],
    ['[fd00::1]:443', 'fd00::1', 443],
  ])('with %s has %s', (entry, host, port = 443) => {
    expect(bypassesProxy(host, port, ['other.example', entry])).toBe(true);
  });

  it.each<[entry: string, host: string, port?: number]>([
    ['', 'example.com'],
    ['ample.com', 'example.com'],
    ['example.com', 'example.com.org'],
    ['api.example.com', 'example.com'],
    ['.example.com', 'example.com'],
    ['.example.com', 'notexample.com'],
    ['example.com:8443', 'example.com', 443],
    ['10.0.0.0/8', '11.0.0.1'],
    ['10.0.0.0/8', 'example.com'],
    ['10.0.0.0/33', '10.0.0.1'],
    ['10.0.0.0/', '11.0.0.1'],
    ['10.0.0.0/', '10.0.0.1'],
    ['10.0.0.1', '10.0.0.10'],
    ['fd00::/8', '10.0.0.1'],
    ['0.0.1', '10.0.0.1'],
    ['localhost', '127.0.0.1'],
  ])('with %s does not have %s', (entry, host, port = 443) => {
    expect(bypassesProxy(host, port, [entry])).toBe(false);
  });

  it('without entries has none', () => {
    expect(bypassesProxy('example.com', 443, [])).toBe(false);
  });
});
