import { type FindingKind } from '../../../core/findings/finding-kinds';
import { MAX_REVOKED_ACCEPTED_SEC } from '../../../core/tokens/lifetimes';
import { configuration, type WrittenDeployment } from '../../support/lib/configuration';
import { synthesize } from '../../support/lib/synthesis';
import { archived, issue, load, loadWithTokens, type Place, proveKey } from './journeys';
import {
  bringPlatformUp,
  command,
  DAY_SEC,
  findings,
  loadKeyForDays,
  openSession,
  rotateTo,
  secondsToNextQuarter,
  takePlatformDown,
} from './operating';
import { basicOf, callRestore } from './restore-calls';
import { blocksOf, pageOf } from './runbook';

/** One `sh` block of a page, run exactly as written. */
export interface Step {
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
  /**
   * Findings that `doctor` must report; the page is listed under each.
   * @default none
   */
  finds?: FindingKind[];
  /**
   * Alarms that must be on, each naming the page.
   * @default none
   */
  inAlarm?: string[];
  /** One step per block. */
  steps: Step[];
}

/** Ordered so that the advancing time disturbs no page. */
export const SCENARIOS: Record<string, (place: Place) => Scenario> = {
  'credentials.md#first-set-up': (place) => {
    return {
      begin: async () => undefined,
      finds: ['never_loaded'],
      steps: [
        {},
        { input: () => issue(place, 'credentials') },
        { input: () => openSession(place) },
        {
          after: async () => {
            expect(await restoreStatus(place, await basicOf(place))).toBe(200);
          },
        },
      ],
    };
  },

  'credentials.md#api-key-about-to-expire': (place) => {
    const { system } = place;
    return {
      begin: () => loadKeyForDays(place, 20),
      finds: ['api_key_expiring_in_30_days'],
      steps: [
        { exitCode: 1 },
        // The page says that a new key takes effect with a delay.
        { before: () => system.control('POST', '/key-lag', { sec: 1 }), input: () => openSession(place) },
        { before: () => system.control('POST', '/key-lag', { sec: 0 }) },
      ],
    };
  },

  'credentials.md#callers-get-401': (place) => {
    const { system } = place;
    return {
      begin: async () => {
        await loadWithTokens(place);
        const { clientId } = await system.secret<{ clientId: string }>(place.tenant.clientCredentialsArn);
        await system.control('DELETE', '/credentials', { clientId });
        expect(await command(place, ['doctor'])).toMatchObject({ exitCode: 0 });
      },
      steps: [
        { exitCode: 1, says: /the issuer refused the client credential/ },
        { input: () => issue(place, 'credentials') },
        { says: /content api\/read: renewed/ },
      ],
    };
  },

  'credentials.md#leaked-secret': (place) => {
    const { system } = place;
    let leaked: object;
    let leakedKey: string;
    return {
      begin: async () => {
        await loadWithTokens(place);
        leaked = await system.secret(place.tenant.clientCredentialsArn);
        leakedKey = await basicOf(place);
        expect(await restoreStatus(place, leakedKey)).toBe(200);
      },
      steps: [
        {
          input: () => issue(place, 'credentials'),
          after: async () =>
            expect(await system.secret(place.tenant.clientCredentialsArn)).not.toEqual(leaked),
        },
        {},
        {
          input: () => openSession(place),
          after: async () => {
            await system.advance(MAX_REVOKED_ACCEPTED_SEC);
            expect(await restoreStatus(place, leakedKey)).toBe(401);
            leakedKey = await basicOf(place);
          },
        },
        {
          before: async () => {
            await command(place, ['api-key', 'generate'], await openSession(place));
            expect(await restoreStatus(place, leakedKey)).toBe(200);
          },
          after: async () => {
            await system.advance(MAX_REVOKED_ACCEPTED_SEC);
            expect(await restoreStatus(place, leakedKey)).toBe(401);
          },
        },
        {},
      ],
    };
  },

  'credentials.md#platform-down-during-a-rotation': (place) => {
    const { system } = place;
    const { clientCredentialsArn, apiKeyArn } = place.tenant;
    let pair: object;
    let staged: string;
    return {
      begin: async () => {
        await loadWithTokens(place);
        await takePlatformDown(place);
        // The page's three situations: nothing written, staged but never rotated, and staged but untested.
        pair = await issue(place, 'credentials');
        expect(await command(place, ['credentials', 'put'], pair)).toMatchObject({
          exitCode: 69,
          stderr: expect.stringContaining('Nothing was stored') as string,
        });
        expect(await command(place, ['api-key', 'generate'], await openSession(place))).toMatchObject({
          exitCode: 69,
          stderr: expect.stringContaining('The new key is staged') as string,
        });
        await rotateTo(place, clientCredentialsArn, await issue(place, 'credentials'));
      },
      finds: ['candidate_untested'],
      steps: [
        { exitCode: 1 },
        {
          before: () => bringPlatformUp(place),
          input: async () => pair,
          after: async () => expect(await system.secret(clientCredentialsArn)).toEqual(pair),
        },
        {
          before: async () => {
            staged = await basicOf(place);
          },
          after: async () => expect(await basicOf(place)).not.toBe(staged),
        },
        {
          before: async () => {
            await takePlatformDown(place);
            pair = await issue(place, 'credentials');
            await rotateTo(place, clientCredentialsArn, pair);
            await rotateTo(place, apiKeyArn!, await issue(place, 'api-keys'));
            await bringPlatformUp(place);
          },
          after: async () => expect(await system.secret(clientCredentialsArn)).toEqual(pair),
        },
        {
          before: async () => {
            await rotateTo(place, clientCredentialsArn, { clientId: 'unknown', clientSecret: 'wrong' });
            expect(await findings(place)).toEqual(['candidate_refused']);
            pair = await issue(place, 'credentials');
          },
          input: async () => pair,
          after: async () => expect(await system.secret(clientCredentialsArn)).toEqual(pair),
        },
      ],
    };
  },

  'credentials.md#rollback': (place) => {
    const { system } = place;
    const { clientCredentialsArn } = place.tenant;
    let first: { clientId: string };
    return {
      begin: async () => {
        await loadWithTokens(place);
        first = await system.secret(clientCredentialsArn);
        await command(place, ['credentials', 'put'], await issue(place, 'credentials'));
        expect(await system.secret(clientCredentialsArn)).not.toEqual(first);
      },
      steps: [
        { after: async () => expect(await system.secret(clientCredentialsArn)).toEqual(first) },
        {
          after: async () => {
            await command(place, ['credentials', 'put'], await issue(place, 'credentials'));
            await system.control('DELETE', '/credentials', { clientId: first.clientId });
            const again = await command(place, ['rollback', '--kind', 'client-credentials', '--yes']);
            expect(again.exitCode).toBe(77);
            expect(await system.secret(clientCredentialsArn)).not.toEqual(first);
            // The refused candidate is no longer staged, but its rotation must still be cleared.
            await command(place, ['doctor', '--fix', '--yes']);
          },
        },
      ],
    };
  },

  'credentials.md#moving-from-basic-to-oauth': (place) => {
    const { system } = place;
    let known: string;
    return {
      begin: async () => {
        await system.putSecret(system.administrator, place.tenant.apiKeyArn!, await issue(place, 'api-keys'));
        await proveKey(place);
        known = await basicOf(place);
      },
      steps: [
        { input: () => issue(place, 'credentials') },
        {},
        {
          input: () => openSession(place),
          after: async () => {
            await system.advance(MAX_REVOKED_ACCEPTED_SEC);
            expect(await restoreStatus(place, known)).toBe(401);
          },
        },
      ],
    };
  },

  'credentials.md#leaving-and-adopting-again': (place) => {
    return {
      begin: async () => {
        const [adopted] = blocksOf(pageOf('credentials.md#leaving-and-adopting-again'), 'json');
        expect(credentialSecretsMadeBy(JSON.parse(adopted!) as WrittenDeployment)).toEqual([]);
        await loadWithTokens(place);
      },
      steps: [{}],
    };
  },

  'credentials.md#scheduled-rotation': (place) => {
    const { system } = place;
    return {
      begin: async () => {
        await load(place);
        await system.advance(77 * DAY_SEC);
      },
      finds: ['rotation_due'],
      steps: [
        { exitCode: 1 },
        { input: () => issue(place, 'credentials') },
        { input: () => openSession(place) },
        {
          before: () => system.advance(600),
          // The schedule fires. The credentials were loaded a day before the quarter ends.
          after: async () => {
            const untilSec = await secondsToNextQuarter(place);
            const beforeSec = Math.max(untilSec - DAY_SEC, 0);
            await system.advance(beforeSec);
            await command(place, ['credentials', 'put'], await issue(place, 'credentials'));
            await command(place, ['api-key', 'generate'], await openSession(place));
            const loaded = await system.secret(place.tenant.clientCredentialsArn);
            await system.advance(untilSec - beforeSec + 3600);
            expect(await findings(place)).toEqual([]);
            expect(await system.secret(place.tenant.clientCredentialsArn)).toEqual(loaded);
          },
        },
      ],
    };
  },
};

/** The restore API's status for a caller's authorization. */
async function restoreStatus(place: Place, authorization: string): Promise<number> {
  return (await callRestore(place, await archived(place), { authorization })).status;
}

/** Names of the credential secrets that this deployment would create. */
function credentialSecretsMadeBy(deployment: WrittenDeployment): unknown[] {
  return synthesize(configuration({ account: '111122223333', ...deployment }))
    .resources('AWS::SecretsManager::Secret')
    .map(({ Properties }) => Properties.Name)
    .filter((name) => !String(name).includes('/token/'));
}
