import { type CredentialKind } from '../../../../core/secrets/secret-names';
import { DOWN } from '../../../support/platform/credential-platform';
import { type FaultReplay, HOUR_MS, MINUTE_MS, type Scene } from './fault-replay';

/** Until after the next run of the watch. */
const UNTIL_SEEN_MS = 6 * HOUR_MS;
/** Until after the run that follows, and the hour in which its alarms are evaluated. */
const QUIET_AFTER_HOURS = 7;
/** Secrets Manager gives up a rotation after this many attempts. */
const TRIES = 3;
const TENANT = 'tenant-1';

async function stageAndRotate(
  { replay, operator }: Scene,
  kind: CredentialKind,
  value: string,
): Promise<void> {
  await operator.stage(TENANT, kind, value);
  await operator.rotate(TENANT, kind);
  await replay.time.advance(MINUTE_MS);
}

function refused(kind: CredentialKind): FaultReplay {
  return {
    id: 'F25',
    fault: `the platform refuses a new ${kind}`,
    pages: [`${TENANT}/credential-attention`],
    quietAfterHours: QUIET_AFTER_HOURS,
    async happen(scene) {
      await stageAndRotate(scene, kind, scene.replay.platform.tenant(TENANT).strangeValue(kind));
      await scene.replay.time.advance(UNTIL_SEEN_MS);
    },
    end: 'as advised',
  };
}

function untested(kind: CredentialKind): FaultReplay {
  return {
    id: 'F25',
    fault: `a new ${kind} cannot be tested`,
    pages: [`${TENANT}/credential-attention`],
    quietAfterHours: QUIET_AFTER_HOURS,
    async happen(scene) {
      const { platform, time } = scene.replay;
      platform.setTrouble(DOWN);
      await stageAndRotate(scene, kind, platform.issueValue(TENANT, kind));
      await time.advance(10 * MINUTE_MS);
      platform.setTrouble(undefined);
      await time.advance(UNTIL_SEEN_MS);
    },
    end: 'as advised',
  };
}

/** F24 to F27. */
export const ROTATION_FAULTS: FaultReplay[] = [
  {
    id: 'F24',
    fault: 'a rotation breaks off and leaves its version pending',
    pages: [],
    quietAfterHours: QUIET_AFTER_HOURS,
    async happen(scene) {
      const { functions, platform, time, arnOf } = scene.replay;
      functions.kills.set(arnOf('rotate-credentials-arn'), TRIES);
      await stageAndRotate(scene, 'client-credentials', platform.issueValue(TENANT, 'client-credentials'));
      await time.advance(UNTIL_SEEN_MS);
    },
    end: 'as advised',
  },
  ...(['client-credentials', 'api-key'] as const).flatMap((kind) => [refused(kind), untested(kind)]),
  {
    id: 'F26',
    fault: 'a key is generated and staged, and its command dies',
    pages: [],
    quietAfterHours: QUIET_AFTER_HOURS,
    async happen({ replay, operator }) {
      await operator.stage(TENANT, 'api-key', replay.platform.issueValue(TENANT, 'api-key'));
      await replay.time.advance(UNTIL_SEEN_MS);
    },
    end: 'as advised',
  },
  {
    id: 'F24',
    fault: 'a candidate label is left on the current version',
    pages: [],
    happen: ({ operator }) => operator.labelCurrent(TENANT, 'client-credentials'),
    end: 'as advised',
  },
  {
    id: 'F27',
    fault: 'a credential is rotated, and the tokens of the earlier one cannot be replaced for a while',
    pages: [],
    async happen({ replay, operator }) {
      replay.storeTrouble = ({ operation, secretId }) =>
        operation === 'PutSecretValue' && secretId.includes(`/${TENANT}/token/`)
          ? 'ThrottlingException'
          : undefined;
      operator.paste(TENANT, 'client-credentials');
      await replay.time.advance(11 * MINUTE_MS);
      replay.storeTrouble = () => undefined;
    },
    end: 'as advised',
  },
  {
    id: 'F27',
    fault: 'a credential is rotated while tokens of the earlier one are stored',
    pages: [],
    happen: async ({ operator }) => void (await operator.put(TENANT, 'client-credentials')),
  },
];
