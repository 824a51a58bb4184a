import { type ParameterLeaf } from '../../../../core/deployment/parameter-names';
import { sha256Hex } from '../../../../core/secrets/sha256';
import { type UpstreamResult } from '../../../../lambdas/shared/ports';
import { answerOf } from '../../../support/lambdas/restore-functions';
import { type FaultReplay, HOUR_MS, MINUTE_MS } from './fault-replay';
import { TOKEN_OF_TENANT_1 } from './replay';
import { sweepIrregularly } from './irregular-sweeps';

/** Requests of the restore operation get these results in turn. */
function answered(id: FaultReplay['id'], fault: string, ...results: UpstreamResult[]): FaultReplay {
  return {
    id,
    fault,
    pages: [],
    async happen({ replay }) {
      replay.platform.content.script.push(...results);
      await replay.time.advance(HOUR_MS);
    },
  };
}

function killed(leaf: ParameterLeaf): FaultReplay {
  return {
    id: 'F22',
    fault: `an invocation is killed: ${leaf.replace('-arn', '')}`,
    pages: [],
    async happen({ replay }) {
      replay.functions.kills.set(replay.arnOf(leaf), 1);
      await replay.time.advance(leaf === 'credential-watch-arn' ? 6 * HOUR_MS : HOUR_MS);
    },
  };
}

const UNAUTHORIZED = answerOf(401);
const NO_ANSWER: UpstreamResult = { kind: 'no_answer', reason: 'timeout' };

/** F21, F22, F28 to F33, and F36. */
export const RUN_FAULTS: FaultReplay[] = [
  {
    id: 'F21',
    fault: 'sweeps come late and twice',
    pages: [],
    happen: ({ replay }) => sweepIrregularly(replay, 3),
  },
  {
    id: 'F22',
    fault: 'a sweep is killed now and then, and the next one is late',
    pages: [],
    happen: ({ replay }) => sweepIrregularly(replay, 3, [8, 24]),
  },
  ...(['token-sweep-arn', 'token-refresh-arn', 'credential-watch-arn', 'restore-arn'] as const).map(killed),
  answered('F28', 'no connection to the restore operation', { kind: 'not_sent', reason: 'ECONNREFUSED' }),
  answered('F28', 'the restore operation answers 502', answerOf(502)),
  answered('F29', 'a restore has no answer', NO_ANSWER),
  answered('F30', 'a restore has no answer, and the next one 409', NO_ANSWER, answerOf(409)),
  answered('F31', 'the platform refuses a token', UNAUTHORIZED),
  answered('F31', 'the platform refuses a token and the next one', UNAUTHORIZED, UNAUTHORIZED),
  ...[500, 503, 307, 418, 204, 200].map((status) =>
    answered('F32', `the restore operation answers ${status} and nothing`, answerOf(status)),
  ),
  answered('F32', 'its answer is too large', { kind: 'unreadable', reason: 'over 1 MiB' }),
  {
    id: 'F33',
    fault: 'a reader of a replica says that an earlier token is refused',
    pages: [],
    async happen({ replay }) {
      await replay.time.advance(10 * MINUTE_MS);
      for (let count = 0; count < 30; count += 1) {
        await replay.ensure({ rejectedTokenSha256: sha256Hex('a token of an hour ago') });
        await replay.time.advance(2 * MINUTE_MS);
      }
    },
  },
  {
    id: 'F36',
    fault: 'another deployment ends each token',
    pages: ['tokens'],
    inAlarm: ['token-requests'],
    async happen({ replay }) {
      for (let count = 0; count < 60; count += 1) {
        const { accessToken } = replay.tokenIn(TOKEN_OF_TENANT_1);
        await replay.time.until(replay.ensure({ rejectedTokenSha256: sha256Hex(accessToken) }));
        await replay.time.advance(MINUTE_MS / 2);
      }
    },
  },
];
