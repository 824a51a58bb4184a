import { once } from 'node:events';
import https from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { type RunningSandbox, startOnSeparatePorts } from '../../src/sandbox/listening-sandbox';
import { DEFAULT_SEED } from '../../src/sandbox/seed';
import { PortUnavailableError } from '../../src/sandbox/https-server';
import { documentAt, handshakeFault, isAnsweredInPlain, sendOverTls } from './support/https-client';

let sandbox: RunningSandbox;
beforeAll(async () => (sandbox = await startOnSeparatePorts(DEFAULT_SEED, 0)));
afterAll(() => sandbox.close());
afterEach(() => control('DELETE', 'faults'));

function allAddresses(): string[] {
  const { control, deployments, tenantServices } = sandbox.addresses;
  const bases = deployments.flatMap((deploymentKey) => [
    deploymentKey.contentBaseUrl,
    deploymentKey.contentTokenBaseUrl,
    deploymentKey.webhooksBaseUrl,
    deploymentKey.webhooksTokenBaseUrl,
  ]);
  return [control, ...bases, tenantServices.staging, tenantServices.live];
}

function control(method: string, path: string, body?: object) {
  return sendOverTls(method, `${sandbox.addresses.control}/${path}`, { ca: sandbox.caCertificate, body });
}

/** Of the addresses where a new connection meets a wrong certificate. */
async function affectedPaths(): Promise<string[]> {
  const faults = await Promise.all(
    allAddresses().map((address) => handshakeFault(address, sandbox.caCertificate)),
  );
  const paths = allAddresses().map((address) => new URL(address).pathname);
  return paths.filter((_, n) => faults[n] !== undefined);
}

describe('addresses', () => {
  test('each address has its own port, and control lists them', async () => {
    const ports = new Set(allAddresses().map((address) => new URL(address).port));

    const told: unknown = await (await sandbox.app.request('/_sandbox/addresses')).json();

    expect(ports.size).toBe(19);
    expect(told).toEqual(sandbox.addresses);
  });

  test('the root of control lists them, too', async () => {
    const { origin } = new URL(sandbox.addresses.control);

    expect(await documentAt(origin, sandbox.caCertificate)).toEqual(sandbox.addresses);
  });

  test('each port serves its own paths, and answers 404 for others', async () => {
    const addresses = allAddresses();
    const ownPaths = addresses.map((address) => new URL(address).pathname);

    for (const [n, address] of addresses.entries()) {
      const { origin, pathname } = new URL(address);
      const nextPath = ownPaths[(n + 1) % ownPaths.length]!;
      const ask = (path: string) =>
        sendOverTls('GET', `${origin}${path}/tenants`, { ca: sandbox.caCertificate });
      const answers = [await ask(pathname), await ask(nextPath)];
      const served = await platformRequests();
      await control('POST', 'reset');

      expect(answers[1]).toBe(404);
      if (n === 0) expect(answers[0]).toBe(200);
      else expect(served).toEqual([`${pathname}/tenants`]);
    }
  });

  test('Authentication, common rules 1: requests over plain HTTP fail on every port', async () => {
    const answered = await Promise.all(allAddresses().map((address) => isAnsweredInPlain(address)));

    expect(answered).toEqual(Array<boolean>(19).fill(false));
  });

  test('a port in use is named, and all others are closed', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const before = listeningServers();

    const starting = startOnSeparatePorts(DEFAULT_SEED, (taken.address() as AddressInfo).port - 2);

    await expect(starting).rejects.toThrow(PortUnavailableError);
    await expect(starting).rejects.toThrow(/^port \d+ on 127\.0\.0\.1 is in use$/);
    taken.close();
    // Closed ports are freed in a later turn of the event loop.
    while (listeningServers() >= before) await setImmediate();
  });

  test('ports are consecutive from a given one, control first', async () => {
    const { addresses, close } = await startSomewhere();
    await close();

    const told = JSON.stringify(addresses)
      .match(/(?<=127\.0\.0\.1:)\d+/g)!
      .map(Number);
    expect(told).toEqual(told.map((_, n) => told[0]! + n));
    expect(told).toHaveLength(19);
  });

  /** Below the ephemeral ports, where nothing else listens. */
  async function startSomewhere(): Promise<RunningSandbox> {
    for (;;) {
      try {
        return await startOnSeparatePorts(DEFAULT_SEED, 10_000 + Math.floor(Math.random() * 20_000));
      } catch (error) {
        if (!(error instanceof PortUnavailableError)) throw error;
      }
    }
  }

  function listeningServers(): number {
    return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;
  }

  async function platformRequests(): Promise<string[]> {
    const answer = await sandbox.app.request('/_sandbox/counters');
    const { requests } = (await answer.json()) as { requests: { path: string }[] };
    return requests.map(({ path }) => path);
  }
});

describe('faults of certificates', () => {
  test.each([
    ['expired', 'CERT_HAS_EXPIRED'],
    ['wrong-host', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['untrusted', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ])(
    '%s is presented the given number of times, then the valid certificate again',
    async (certificate, code) => {
      const { contentBaseUrl } = sandbox.addresses.deployments[0]!;
      await control('POST', 'faults', {
        target: 'content',
        match: { environment: 'staging', platformRegion: 'global' },
        certificate,
        times: 2,
      });

      const found = [];
      for (let n = 0; n < 3; n += 1) found.push(await handshakeFault(contentBaseUrl, sandbox.caCertificate));

      expect(found).toEqual([code, code, undefined]);
    },
  );

  const MEA = { platformRegion: 'mea' };
  test.each([
    ['content', MEA, ['/staging/mea/rest/v1', '/production/mea/rest/v1']],
    ['webhooks', MEA, ['/staging/mea/webhooks/v1', '/production/mea/webhooks/v1']],
    [
      'token',
      MEA,
      [
        '/staging/mea/auth',
        '/staging/mea/webhooks-auth',
        '/production/mea/auth',
        '/production/mea/webhooks-auth',
      ],
    ],
    [
      'token',
      { ...MEA, interface: 'webhooks' },
      ['/staging/mea/webhooks-auth', '/production/mea/webhooks-auth'],
    ],
    ['tenants', { environment: 'production' }, ['/tenant-service/live']],
  ])('target %s and match %j affect only their addresses', async (target, match, paths) => {
    await control('POST', 'faults', { target, match, certificate: 'untrusted' });

    expect(await affectedPaths()).toEqual(paths);
  });

  test('the fault also affects the next request of a client that keeps connections alive', async () => {
    const { contentBaseUrl, webhooksBaseUrl } = sandbox.addresses.deployments[0]!;
    const agent = new https.Agent({ keepAlive: true });
    const send = (base: string) =>
      sendOverTls('GET', `${base}/contents`, { ca: sandbox.caCertificate, agent });
    const before = [await send(contentBaseUrl), await send(webhooksBaseUrl)];
    const kept = Object.values(agent.freeSockets).flat();
    const closed = once(kept[0]!, 'close');

    await control('POST', 'faults', { target: 'content', certificate: 'expired' });
    await closed;
    const after = await send(contentBaseUrl);

    expect(before).toEqual([401, 401]);
    expect(after).toBe('CERT_HAS_EXPIRED');
    expect(kept.map((socket) => socket?.destroyed)).toEqual([true, false]);
    agent.destroy();
  });

  test('the fault also affects a client that resumes a TLS session', async () => {
    const { contentBaseUrl } = sandbox.addresses.deployments[0]!;
    const agent = new https.Agent({ keepAlive: false, maxCachedSessions: 10 });
    const send = () => sendOverTls('GET', `${contentBaseUrl}/contents`, { ca: sandbox.caCertificate, agent });
    await send();

    await control('POST', 'faults', { target: 'content', certificate: 'untrusted' });

    expect(await send()).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  });
});
