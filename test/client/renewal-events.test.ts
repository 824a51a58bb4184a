import { createTokenSource, type TokenSource } from '../../client';
import { expectRed } from '../support/holes/expect-red';
import { workIsDone } from './support/client-clock';
import { FakeAws, KEY, MINUTE_MS, SECRETS } from './support/fake-aws';

let aws: FakeAws;
let source: TokenSource;
beforeEach(() => {
  aws = new FakeAws();
  source = createTokenSource(aws.readOnlyOptions());
});

const get = async () => (await source.getToken(KEY)).accessToken;
const time = (afterMs: number) => new Date(aws.clock.trueMs + afterMs).toISOString();

/** The event of the renewal that stored a version just now. */
const eventOf = (versionId: string, detail: object = {}, part: object = {}) => ({
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
});

/** Has `token-1` in memory, and `token-2` stored a minute later. */
async function holdOlder(): Promise<void> {
  aws.store(60 * MINUTE_MS);
  expect(await get()).toBe('token-1');
  aws.clock.advance(MINUTE_MS);
  aws.store(60 * MINUTE_MS);
}

describe('an event of a renewal, with an older token in memory,', () => {
  beforeEach(holdOlder);

  test('has the next caller read the new token; without it, the old one is served on', async () => {
    expect(await get()).toBe('token-1');

    expect(source.invalidate(eventOf('version-2'))).toBe(true);

    expect([await get(), await get()]).toEqual(['token-2', 'token-2']);
    expect(aws.reads).toHaveLength(2);
  });

  test('that comes twice, after the token was read, or about an older one changes nothing', async () => {
    source.invalidate(eventOf('version-2'));
    aws.clock.advance(MINUTE_MS);
    expect(source.invalidate(eventOf('version-2'))).toBe(false);
    await get();

    expect(source.invalidate(eventOf('version-2'))).toBe(false);
    expect(source.invalidate(eventOf('version-1', { renewedAt: time(-3 * MINUTE_MS) }))).toBe(false);

    await get();
    expect(aws.reads).toHaveLength(2);
  });

  test.each<[string, object, object]>([
    ['of another tenant', { tenantId: 'eu-west-2_Other' }, {}],
    ['of another prefix', { prefix: 'acme' }, {}],
    ['of another type', {}, { 'detail-type': 'Credential Rotated' }],
    ['of another source', {}, { source: 'aws.ec2', detail: undefined }],
    ['of a time to come (T29)', { renewedAt: '2999-01-01T00:00:00Z' }, {}],
    ['from another account (T29)', {}, { account: '444455556666' }],
    ['from another AWS region (T29)', {}, { region: 'us-east-1' }],
  ])('%s changes nothing, now or for later events', async (_, detail, part) => {
    expect(source.invalidate(eventOf('version-9', detail, part))).toBe(false);

    expect(await get()).toBe('token-1');
    expect(source.invalidate(eventOf('version-2'))).toBe(true);
    expect(await get()).toBe('token-2');
    expect(aws.reads).toHaveLength(2);
  });

  test('leaves the token in memory for the case that the read fails', async () => {
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
    aws.staleReads = 1;
    source.invalidate(eventOf('version-2'));
    expect([await get(), await get()]).toEqual(['token-1', 'token-2']);

    aws.clock.advance(MINUTE_MS);
    // An event that no version follows, such as a forged one.
    source.invalidate(eventOf('version-9'));
    await get();
    aws.clock.advance(4_999);
    await get();
    expect(aws.reads).toHaveLength(5);
    aws.clock.advance(1);
    await get();
    expect(aws.reads).toHaveLength(6);
    expect(await get()).toBe('token-2');
    expect(aws.reads).toHaveLength(6);
  });
});

describe('an event of a renewal', () => {
  test('during the first read, which still returns the old version, is not missed', async () => {
    aws.store(60 * MINUTE_MS);
    aws.clock.wakesSleepers = false;
    const answer = aws.holdAnswers();
    aws.staleReads = 1;
    const first = get();
    await workIsDone();
    aws.clock.advance(1_000);
    aws.store(60 * MINUTE_MS);

    expect(source.invalidate(eventOf('version-2'))).toBe(false);
    answer();

    expect([await first, await get()]).toEqual(['token-1', 'token-2']);
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
    const secretId = () => 'latchkey/staging/mea/eu-west-2_AbcdEfghI/token/content/api-write';
    source = createTokenSource({ ...aws.readOnlyOptions(), secretId });
    await holdOlder();

    expect(source.invalidate(eventOf('version-2', { prefix: 'acme' }))).toBe(true);
    expect(await get()).toBe('token-2');
  });

  test.each<[string, () => unknown, string]>([
    ['as a text', () => JSON.stringify(eventOf('v')), 'allowed: a whole event of EventBridge'],
    ['without an account', () => eventOf('v', {}, { account: 7 }), 'event: found no account or region'],
    ['without a region', () => eventOf('v', {}, { region: 7 }), 'event: found no account or region'],
    ['without detail', () => eventOf('v', {}, { detail: [] }), 'event.detail: found no object'],
    ['without a version', () => eventOf('v', { versionId: 7 }), 'event.detail.versionId: found no text'],
    ['without a time', () => eventOf('v', { renewedAt: 'soon' }), 'event.detail.renewedAt: found no time'],
    ['with a bad tenant', () => eventOf('v', { tenantId: 'two words' }), 'tenantId: found "two words"'],
  ])('%s is refused', (_, event, message) => {
    expect(() => source.invalidate(event())).toThrow(TypeError);
    expect(() => source.invalidate(event())).toThrow(message);
  });
});

describe('T29: events that are forged ten times a second', () => {
  async function forgeForTenMinutes(afterEach: () => void = () => undefined): Promise<void> {
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

  test('have a token read again six times a minute at most', async () => {
    await forgeForTenMinutes();

    expectFewReads();
  });

  test('turn this red with a process that forgets which events it took', async () => {
    await forgeForTenMinutes(() => (source = createTokenSource(aws.readOnlyOptions())));

    await expectRed(expectFewReads);
  });
});
