import { KIND_TAG } from '../../core/secrets/credential-labels';
import { judgedVersion, proofRecordTags } from '../../core/rotation/proof-record';
import { clientOf } from '../support/aws/simulated-secrets-manager';
import { SecretsManagerCredentialVersions } from '../../lambdas/shared/adapters/secrets-manager-credential-versions';
import { expectRed } from '../support/holes/expect-red';
import { KeysUnderProof } from '../support/lambdas/keys-under-proof';
import { MINUTE_MS } from '../support/lambdas/token-functions';

const DAY_MS = 24 * 60 * MINUTE_MS;
const MINE = 'key of somebody who may write secrets';

/** What somebody who may write secrets and move their labels does to let another key in. */
const ATTEMPTS: Record<string, (keys: KeysUnderProof) => Promise<unknown> | void> = {
  'pastes it': (keys) => void keys.paste(MINE),
  'pastes it twice, so that the proven one has no label': (keys) => {
    keys.paste('another');
    keys.paste(MINE);
  },
  'pastes it with every label that Latchkey uses': (keys) => {
    const versionId = keys.paste(MINE, { label: 'AWSPENDING' });
    const { stages } = keys.store.secret(keys.nameOf()).versions.get(versionId)!;
    for (const label of ['LATCHKEY_PROVEN', 'LATCHKEY_CANDIDATE', 'AWSPREVIOUS']) stages.add(label);
  },
  'invokes the last step of a rotation with a forged proof': async (keys) => {
    const versionId = keys.paste(MINE, { label: 'AWSPENDING' });
    keys.store.secret(keys.nameOf()).versions.get(versionId)!.stages.add('LATCHKEY_PROVEN');
    expect(await keys.step('finishSecret', versionId)).toBe('done');
  },
  'pastes it after the record was removed, and the platform is down': async (keys) => {
    keys.store.secret(keys.nameOf()).tags = { [KIND_TAG]: 'api-key' };
    keys.paste(MINE);
    keys.isDown = true;
    expect(await keys.opening([MINE])).toEqual([]);
    keys.isDown = false;
    await keys.prove();
  },
  'pastes it while the platform is down': (keys) => {
    keys.isDown = true;
    keys.paste(MINE);
  },
  'pastes it, and asks for its proof': async (keys) => {
    keys.paste(MINE);
    await keys.prove([...keys.tenantIds]);
  },
};

/** The key never opens, now or later, and the proven one always does. */
async function expectShut(attempt: (keys: KeysUnderProof) => Promise<unknown> | void): Promise<void> {
  const keys = new KeysUnderProof();
  keys.pasteWorking('proven');
  await keys.prove();

  await attempt(keys);

  for (let run = 0; run < 3; run += 1) {
    expect(await keys.opening(['proven', MINE])).toEqual(['proven']);
    await keys.prove();
    keys.clock.advance(DAY_MS);
  }
}

describe('a key that the platform never accepted does not open the restore API', () => {
  test.each(Object.entries(ATTEMPTS))('if somebody %s', (_, attempt) => expectShut(attempt));

  test('turns red when others may write the record', async () => {
    await expectRed(() =>
      expectShut(async (keys) => {
        const versionId = keys.paste(MINE);
        const versions = new SecretsManagerCredentialVersions(
          clientOf((command) => keys.store.send(command)),
        );
        const proven = [judgedVersion(versionId, keys.clock.nowMs())];
        await versions.tag(keys.nameOf(), proofRecordTags({ proven, refused: undefined }));
      }),
    );
  });
});
