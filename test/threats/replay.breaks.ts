import { type Breakable } from '../support/breaks/break';

const RESTORE = 'lambdas/restore/restore-content.ts';
const FIRST = 'const first = await send(token);';

const SENT_TWICE = { file: RESTORE, from: FIRST, to: `await send(token); ${FIRST}` };
const SENT_AGAIN_AFTER_FAILURE = {
  file: RESTORE,
  from: FIRST,
  to: "let first = await send(token); if (first.kind === 'no_answer' || first.status >= 429) first = await send(token);",
};

export const BREAKS: Breakable[] = [
  { id: 'one restores, and 49 learn', brokenBy: SENT_TWICE },
  { id: 'one restores though the platform takes its time', brokenBy: SENT_TWICE },
  {
    id: 'one restores though their token was revoked',
    brokenBy: {
      file: RESTORE,
      from: 'const next = await tokens.get(tenant, sendBeforeMs, token);',
      to: 'const next = await tokens.get(tenant, sendBeforeMs);',
    },
  },
  { id: 'one is left in doubt', brokenBy: SENT_AGAIN_AFTER_FAILURE },
  { id: 'T12: of 10 equal requests', brokenBy: SENT_AGAIN_AFTER_FAILURE },
  {
    id: 'T12: API Gateway does not invoke the restore function again',
    brokenBy: {
      file: 'local/api-gateway/lambda-call.ts',
      from: 'return await Promise.race([invoker.invoke(target.functionArn, payload), timeout]);',
      to: 'await invoker.invoke(target.functionArn, payload); return await Promise.race([invoker.invoke(target.functionArn, payload), timeout]);',
    },
  },
];
