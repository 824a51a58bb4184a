import { type FindingKind } from '../../../core/findings/finding-kinds';
import { type Finding } from '../../../core/findings/finding';
import { MAX_REVOKED_ACCEPTED_SEC } from '../../../core/tokens/lifetimes';
import { configuration, type WrittenDeployment } from '../../support/lib/configuration';
import { synthesize } from '../../support/lib/synthesis';
import { documentOf } from './command';
import { blocksOf } from './pages';
import { type Place } from './place';

/** One `sh` block of a page, run exactly as written. */
interface Step {
  /** Happens before the block runs. */
  before?: () => Promise<unknown>;
  /** What the operator pastes into standard input. */
  input?: () => Promise<object>;
  /** @default 0 */
  exitCode?: number;
  /** Must match the output. */
  says?: RegExp;
  /** Checks the result. */
  after?: () => Promise<unknown>;
}

export interface Scenario {
  /** Creates the situation that the page describes. */
  begin: () => Promise<unknown>;
  /** Findings that `doctor` must report; the page is listed under each. */
  finds?: FindingKind[];
  /** Alarms that must be on, each naming the page. */
  inAlarm?: string[];
  /** One step per block. */
  steps: Step[];
}

const DAY_SEC = 86_400;

/** Ordered so that the advancing time disturbs no page. */
export const SCENARIOS: Record<string, (place: Place) => Scenario> = {
  'credentials.md#first-set-up': (place) => ({
    begin: async () => undefined,
    finds: ['never_loaded'],
    steps: [
      {},
      { input: () => place.newPair() },
      { input: () => place.newSession() },
      { after: async () => expect(await restoreStatus(place, await place.basic())).toBe(200) },
    ],
  }),

  'credentials.md#api-key-about-to-expire': (place) => ({
    begin: () => place.loadKey({ validUntil: new Date(Date.now() + 20 * DAY_SEC * 1000).toISOString() }),
    finds: ['api_key_expiring_in_30_days'],
    steps: [
      { exitCode: 1 },
      // The page says that a new key takes effect with a delay.
      {
        before: () => place.system.control('POST', '/key-lag', { sec: 1 }),
        input: () => place.newSession(),
      },
      { before: () => place.system.control('POST', '/key-lag', { sec: 0 }) },
    ],
  }),

  'credentials.md#callers-get-401': (place) => ({
    begin: async () => {
      await place.loadWithTokens();
      await place.revoke((await place.pair()).clientId);
      expect(await place.command('doctor')).toMatchObject({ exitCode: 0 });
    },
    steps: [
      { exitCode: 1, says: /the issuer refused the client credential/ },
      { input: () => place.newPair() },
      { says: /content api\/read: renewed/ },
    ],
  }),

  'credentials.md#leaked-secret': (place) => {
    let leaked: object;
    let leakedKey: string;
    const expectRefused = async () => {
      await place.system.advance(MAX_REVOKED_ACCEPTED_SEC);
      expect(await restoreStatus(place, leakedKey)).toBe(401);
    };
    return {
      begin: async () => {
        await place.loadWithTokens();
        leaked = await place.pair();
        leakedKey = await place.basic();
        expect(await restoreStatus(place, leakedKey)).toBe(200);
      },
      steps: [
        { input: () => place.newPair(), after: async () => expect(await place.pair()).not.toEqual(leaked) },
        {},
        { input: () => place.newSession(), after: expectRefused },
        {
          before: async () => {
            leakedKey = await place.basic();
            await place.command('api-key generate', { input: await place.newSession() });
            expect(await restoreStatus(place, leakedKey)).toBe(200);
          },
          after: expectRefused,
        },
        {},
      ],
    };
  },

  'credentials.md#platform-down-during-a-rotation': (place) => {
    const { clientCredentialsArn, apiKeyArn } = place.tenant;
    // It answers uselessly rather than not at all, since an outage would be retried for seconds.
    const platformDown = async () => {
      for (const target of ['token', 'content'] as const) await place.fail(target, { status: 404 });
    };
    const platformUp = () => place.system.control('DELETE', '/faults');
    let pair: object;
    let staged: string;
    const after = async () => expect(await place.pair()).toEqual(pair);
    return {
      begin: async () => {
        await place.loadWithTokens();
        await platformDown();
        // The page's three situations: nothing written, staged but never rotated, and staged but untested.
        pair = await place.newPair();
        expect(await place.command('credentials put', { input: pair })).toMatchObject({
          exitCode: 69,
          stderr: expect.stringContaining('Nothing was stored') as string,
        });
        const input = await place.newSession();
        expect(await place.command('api-key generate', { input })).toMatchObject({
          exitCode: 69,
          stderr: expect.stringContaining('The new key is staged') as string,
        });
        await place.rotate(clientCredentialsArn, await place.newPair());
      },
      finds: ['candidate_untested'],
      steps: [
        { exitCode: 1 },
        { before: platformUp, input: async () => pair, after },
        {
          before: async () => (staged = await place.basic()),
          after: async () => expect(await place.basic()).not.toBe(staged),
        },
        {
          before: async () => {
            await platformDown();
            pair = await place.newPair();
            await place.rotate(clientCredentialsArn, pair);
            await place.rotate(apiKeyArn!, await place.newKey());
            await platformUp();
          },
          after,
        },
        {
          before: async () => {
            await place.rotate(clientCredentialsArn, { clientId: 'unknown', clientSecret: 'wrong' });
            expect(await findings(place)).toEqual(['candidate_refused']);
          },
          input: async () => (pair = await place.newPair()),
          after,
        },
      ],
    };
  },

  'credentials.md#rollback': (place) => {
    let first: { clientId: string };
    const putAnother = async () => {
      await place.command('credentials put', { input: await place.newPair() });
      expect(await place.pair()).not.toEqual(first);
    };
    return {
      begin: async () => {
        await place.loadWithTokens();
        first = await place.pair();
        await putAnother();
      },
      steps: [
        { after: async () => expect(await place.pair()).toEqual(first) },
        {
          after: async () => {
            await putAnother();
            await place.revoke(first.clientId);
            const again = await place.command('rollback --kind client-credentials --yes');
            expect(again.exitCode).toBe(77);
            expect(await place.pair()).not.toEqual(first);
            // The refused candidate is no longer staged, but its rotation must still be cleared.
            await place.command('doctor --fix --yes');
          },
        },
      ],
    };
  },

  'credentials.md#moving-from-basic-to-oauth': (place) => {
    let known: string;
    return {
      begin: async () => {
        await place.loadKey();
        known = await place.basic();
      },
      steps: [
        { input: () => place.newPair() },
        {},
        {
          input: () => place.newSession(),
          after: async () => {
            await place.system.advance(MAX_REVOKED_ACCEPTED_SEC);
            expect(await restoreStatus(place, known)).toBe(401);
          },
        },
      ],
    };
  },

  'credentials.md#leaving-and-adopting-again': (place) => ({
    begin: async () => {
      const [adopted] = blocksOf('runbook/credentials.md#leaving-and-adopting-again', 'json');
      expect(credentialSecretsMadeBy(JSON.parse(adopted!) as WrittenDeployment)).toEqual([]);
      await place.loadWithTokens();
    },
    steps: [{}],
  }),

  'credentials.md#scheduled-rotation': (place) => ({
    begin: async () => {
      await place.load();
      await place.system.advance(77 * DAY_SEC);
    },
    finds: ['rotation_due'],
    steps: [
      { exitCode: 1 },
      { input: () => place.newPair() },
      { input: () => place.newSession() },
      {
        before: () => place.system.advance(600),
        // The schedule fires. The credentials were loaded a day before the quarter ends.
        after: async () => {
          const untilSec = secondsToNextQuarter(place.system.nowMs);
          const beforeSec = Math.max(untilSec - DAY_SEC, 0);
          await place.system.advance(beforeSec);
          await place.command('credentials put', { input: await place.newPair() });
          await place.command('api-key generate', { input: await place.newSession() });
          const loaded = await place.pair();
          await place.system.advance(untilSec - beforeSec + 3600);
          expect(await findings(place)).toEqual([]);
          expect(await place.pair()).toEqual(loaded);
        },
      },
    ],
  }),
};

/** The kinds of all findings of `doctor`. */
export async function findings(place: Place): Promise<FindingKind[]> {
  const { deployments, findings } = documentOf<{ deployments: { error?: object }[]; findings: Finding[] }>(
    await place.command('doctor --json'),
  );
  expect(deployments.map(({ error }) => error)).toEqual([undefined]);
  return findings.map(({ kind }) => kind);
}

/** The restore API's status for a caller's authorization. */
async function restoreStatus(place: Place, authorization: string): Promise<number> {
  const [contentId] = await place.archivedContents();
  return (await place.restore(contentId!, { authorization })).status;
}

/** Names of the credential secrets that this deployment would create. */
function credentialSecretsMadeBy(deployment: WrittenDeployment): unknown[] {
  return synthesize(configuration({ account: '111122223333', ...deployment }))
    .resources('AWS::SecretsManager::Secret')
    .map(({ Properties }) => Properties.Name)
    .filter((name) => !String(name).includes('/token/'));
}

/** Seconds until the rotation schedule runs: 08:00 UTC on the first day of a quarter. */
function secondsToNextQuarter(nowMs: number): number {
  const now = new Date(nowMs);
  const month = Math.floor(now.getUTCMonth() / 3) * 3 + 3;
  return Math.ceil((Date.UTC(now.getUTCFullYear(), month, 1, 8) - nowMs) / 1000);
}
