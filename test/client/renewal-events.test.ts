import { createTokenSource, type TokenSource } from '../../client';
import { type TokenKey } from '../../core/tokens/token-key';
import { expectRed } from '../support/holes/expect-red';
import { FakeAws, KEY, MINUTE_MS, SECRETS } from './support/fake-aws';

const OTHER: TokenKey = { ...KEY, tenantId: 'eu-west-2_Other' };

let aws: FakeAws;
let source: TokenSource;
beforeEach(() => {
  aws = new FakeAws();
  source = createTokenSource(aws.readOnlyOptions());
});

const get = async (key = KEY) => (await source.getToken(key)).accessToken;
const time = (afterMs: number) => new Date(aws.clock.trueMs + afterMs).toISOString();

/** The event of the renewal that stored a version just now. */
function eventOf(versionId: string, detail: object = {}, part: object = {}): Record<string, unknown> {
  return {
    version: '0',
    id: 'e',
    source: 'latchkey',
    'detail-type': 'Token Renewed',
    ...SECRETS,
    detail: {
      schemaVersion: '1',
      prefix: 'latchkey',
      ...KEY,
      secretArn: 'arn:of-the-secret',
      versionId,
      renewedAt: time(0),
      expiresAt: time(60 * MINUTE_MS),
      ...detail,
    },
    ...part,
  };
}

/** Has `token-1` in memory, and `token-2` stored a minute later. */
async function holdOlder(): Promise<void> {
  aws.store(60 * MINUTE_MS);
  expect(await get()).toBe('token-1');
  aws.clock.advance(MINUTE_MS);
  aws.store(60 * MINUTE_MS);
}

async function forgeEventsForTenMinutes(afterEach: () => void = () => undefined): Promise<void> {
  aws.store(60 * MINUTE_MS);
  await get();
  for (let second = 0; second < 600; second += 1) {
    for (let call = 0; call < 10; call += 1) {
      source.invalidate(eventOf(`forged-${second}-${call}`));
      await get();
    }
    aws.clock.advance(1_000);
    afterEach();
  }
}

/** One for each event that counts, and five while Secrets Manager may still return the old version. */
const expectFewReads = () => expect(aws.reads.length).toBeLessThanOrEqual(1 + 10 * 6);

describe('an event of a renewal', () => {
  test('has the next caller read the new token; without it, the old one is served on', async () => {
    await holdOlder();
    expect(await get()).toBe('token-1');

    expect(source.invalidate(eventOf('version-2'))).toBe(true);

    expect(await get()).toBe('token-2');
    expect(await get()).toBe('token-2');
    expect(aws.reads).toHaveLength(2);
  });

  test('that comes twice, or after the token was read, changes nothing', async () => {
    await holdOlder();
    source.invalidate(eventOf('version-2'));
    expect(source.invalidate(eventOf('version-2'))).toBe(false);
    await get();

    expect(source.invalidate(eventOf('version-2'))).toBe(false);

    await get();
    expect(aws.reads).toHaveLength(2);
  });

  test('T29: that is forged ten times a second has a token read again six times a minute at most', async () => {
    await forgeEventsForTenMinutes();

    expectFewReads();
  });

  test('T29: turns red with a process that forgets which events it took', async () => {
    await forgeEventsForTenMinutes(() => (source = createTokenSource(aws.readOnlyOptions())));

    await expectRed(expectFewReads);
  });

  test('T29: of a time to come changes nothing, now or for later events', async () => {
    await holdOlder();

    expect(source.invalidate(eventOf('forged', { renewedAt: '2999-01-01T00:00:00Z' }))).toBe(false);

    expect(await get()).toBe('token-1');
    expect(source.invalidate(eventOf('version-2'))).toBe(true);
    expect(await get()).toBe('token-2');
    expect(aws.reads).toHaveLength(2);
  });

  test('that is older than the token in memory changes nothing', async () => {
    await holdOlder();
    source.invalidate(eventOf('version-2'));
    await get();

    expect(source.invalidate(eventOf('version-1', { renewedAt: time(-MINUTE_MS) }))).toBe(false);

    expect(await get()).toBe('token-2');
    expect(aws.reads).toHaveLength(2);
  });

  test('leaves the token in memory for the case that the read fails', async () => {
    await holdOlder();
    aws.failingReads.times = 99;
    source.invalidate(eventOf('version-2'));

    expect(await get()).toBe('token-1');
    const { length } = aws.reads;
    expect(await get()).toBe('token-1');
    expect(aws.reads).toHaveLength(length);

    aws.failingReads.times = 0;
    aws.clock.advance(MINUTE_MS);
    expect(await get()).toBe('token-2');
  });

  test('has callers read again while Secrets Manager returns the old version, for five seconds', async () => {
    await holdOlder();
    aws.staleReads = 1;
    source.invalidate(eventOf('version-2'));

    expect(await get()).toBe('token-1');
    expect(await get()).toBe('token-2');

    // An event that no version follows, such as a forged one.
    source.invalidate(eventOf('version-9', { renewedAt: time(MINUTE_MS) }));
    expect(await get()).toBe('token-2');
    expect(await get()).toBe('token-2');
    aws.clock.advance(5_000);
    await get();
    const { length } = aws.reads;
    await get();
    expect(aws.reads).toHaveLength(length);
  });

  test('during the first read, which still returns the old version, is not missed', async () => {
    aws.store(60 * MINUTE_MS);
    aws.clock.wakesSleepers = false;
    const answer = aws.holdAnswers();
    aws.staleReads = 1;
    const first = get();
    await new Promise((resolve) => setImmediate(resolve));
    aws.clock.advance(1_000);
    aws.store(60 * MINUTE_MS);

    expect(source.invalidate(eventOf('version-2'))).toBe(false);
    answer();
    expect(await first).toBe('token-1');

    expect(await get()).toBe('token-2');
  });

  test.each<[string, () => Record<string, unknown>]>([
    ['another tenant', () => eventOf('version-2', OTHER)],
    ['another prefix', () => eventOf('version-2', { prefix: 'acme' })],
    ['another type', () => eventOf('version-2', {}, { 'detail-type': 'Credential Rotated' })],
    ['another source', () => eventOf('version-2', {}, { source: 'aws.ec2', detail: undefined })],
  ])('of %s changes nothing', async (_, event) => {
    await holdOlder();

    expect(source.invalidate(event())).toBe(false);

    expect(await get()).toBe('token-1');
    expect(aws.reads).toHaveLength(1);
  });

  test.each<[string, object]>([
    ['another account', { account: '444455556666' }],
    ['another AWS region', { region: 'us-east-1' }],
  ])('T29: from %s changes nothing, now or for later events', async (_, sender) => {
    await holdOlder();

    expect(source.invalidate(eventOf('version-9', {}, sender))).toBe(false);

    expect(await get()).toBe('token-1');
    expect(source.invalidate(eventOf('version-2'))).toBe(true);
    expect(await get()).toBe('token-2');
    expect(aws.reads).toHaveLength(2);
  });

  test('T29: turns red with a sender of the same account and AWS region', async () => {
    await holdOlder();

    source.invalidate(eventOf('version-9'));

    await get();
    await expectRed(() => expect(aws.reads).toHaveLength(1));
  });

  test('from the region of the secret counts for a token that was read from a replica', async () => {
    const { secretsManager, ...options } = aws.readOnlyOptions();
    const regions = [SECRETS.region, 'eu-central-1'];
    source = createTokenSource({ ...options, regions, secretsManagerIn: () => secretsManager! });
    await holdOlder();

    expect(source.invalidate(eventOf('version-9', {}, { region: 'us-east-1' }))).toBe(false);
    expect(source.invalidate(eventOf('version-2', {}, { region: 'eu-central-1' }))).toBe(true);
  });

  test('is about any prefix if the caller names the secrets', async () => {
    source = createTokenSource({
      ...aws.readOnlyOptions(),
      secretId: ({ tenantId }) => `latchkey/staging/mea/${tenantId}/token/content/api-write`,
    });
    await holdOlder();

    expect(source.invalidate(eventOf('version-2', { prefix: 'acme' }))).toBe(true);
    expect(await get()).toBe('token-2');
  });
});

describe('something else', () => {
  test.each<[string, unknown, string]>([
    ['the text of an event', JSON.stringify({ source: 'latchkey' }), 'allowed: a whole event of EventBridge'],
    [
      'an event without its sender',
      { source: 'latchkey', 'detail-type': 'Token Renewed' },
      'event: found no account or region',
    ],
    [
      'an event without detail',
      { source: 'latchkey', 'detail-type': 'Token Renewed', ...SECRETS },
      'event.detail: found no object',
    ],
  ])('is refused: %s', (_, event, message) => {
    expect(() => source.invalidate(event)).toThrow(TypeError);
    expect(() => source.invalidate(event)).toThrow(message);
  });

  test.each<[string, object, string]>([
    ['a version', { versionId: 7 }, 'event.detail.versionId: found no text'],
    ['a time', { renewedAt: 'soon' }, 'event.detail.renewedAt: found no time'],
    ['a tenant', { tenantId: 'two words' }, 'tenantId: found "two words"'],
  ])('is refused: an event without %s', (_, detail, message) => {
    expect(() => source.invalidate(eventOf('version-2', detail))).toThrow(message);
  });
});
