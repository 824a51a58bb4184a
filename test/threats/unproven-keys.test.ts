import { judgedVersion, PROVEN_TAG, proofRecordTags } from '../../contract/proof-record';
import { credentialSecretName } from '../../contract/secret-names';
import { holderOf, moveLabel } from '../../local/aws/secrets-manager/labels';
import { addVersion } from '../../local/aws/secrets-manager/secret-versions';
import { expectRed } from '../support/holes/expect-red';
import { RestoreApiUnderTest, START_TIMEOUT_MS } from '../support/restore-api/restore-api-under-test';

const PASTED = 'key-that-somebody-pasted';
const VERSION_ID = 'pasted-by-hand-00000000000000000001';

let api: RestoreApiUnderTest;
beforeAll(async () => (api = await RestoreApiUnderTest.start()), START_TIMEOUT_MS);
afterAll(() => api?.stop());

const keySecret = () => {
  const tenant = {
    environment: 'staging',
    platformRegion: 'mea',
    tenantId: api.tenants[0].tenantId,
  } as const;
  const name = credentialSecretName('latchkey', tenant, 'api-key');
  return [...api.account.secrets.values()].find((secret) => secret.name === name)!;
};

/** The status of a request without an acting user: 422 if the key opens the API. */
async function statusWith(apiKey: string): Promise<number> {
  api.functions.startNewProcesses();
  const authorization = api.basic({ ...api.tenants[0], apiKey });
  return (await api.call({ contentId: 'any', authorization, body: {} })).status;
}

async function expectPastedKeyRefused() {
  expect(await statusWith(PASTED)).toBe(401);
  expect(await statusWith(api.tenants[0].apiKey)).toBe(422);
}

describe('T23: an API key that somebody put into the secret by hand', () => {
  beforeAll(() => {
    const secret = keySecret();
    const { versionId, createdAtMs } = holderOf(secret, 'AWSCURRENT')!;
    const record = { proven: [judgedVersion(versionId, createdAtMs)], refused: undefined };
    Object.assign(secret.tags, proofRecordTags(record));
    const pasted = addVersion(secret, VERSION_ID, Date.now());
    pasted.secretString = JSON.stringify({ apiKey: PASTED, validUntil: '2999-01-01T00:00:00Z' });
    moveLabel(secret, 'AWSCURRENT', pasted);
  });

  test('does not open the restore API, and the proven one serves on', expectPastedKeyRefused);

  test('does not open it by the labels of a rotation, which operators may set', async () => {
    keySecret().versions.get(VERSION_ID)!.stages.add('LATCHKEY_PROVEN');

    await expectPastedKeyRefused();
  });

  test('turns red when somebody may write the record', async () => {
    const { tags } = keySecret();
    const { [PROVEN_TAG]: record } = tags;
    const { createdAtMs } = keySecret().versions.get(VERSION_ID)!;
    const forged = { proven: [judgedVersion(VERSION_ID, createdAtMs)], refused: undefined };
    Object.assign(tags, proofRecordTags(forged));
    try {
      await expectRed(expectPastedKeyRefused);
    } finally {
      tags[PROVEN_TAG] = record!;
    }
  });
});
