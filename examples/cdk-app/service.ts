import { createTokenSource, parseTokenKey } from 'latchkey/client';

const { CONTENT_BASE_URL = '', LATCHKEY_TOKEN, TOKEN_REFRESH_ARN } = process.env;

// Outside the handler, so that all invocations of this instance share the token in memory.
const source = createTokenSource({ tokenRefresh: TOKEN_REFRESH_ARN });

/** Returns the titles of the tenant's contents. */
export async function handler(): Promise<string[]> {
  const key = parseTokenKey(LATCHKEY_TOKEN);
  const answer = await source.authorizedFetch(key, `${CONTENT_BASE_URL}/contents`);
  if (!answer.ok) throw new Error(`the platform answered ${answer.status}`);
  return ((await answer.json()) as { title: string }[]).map(({ title }) => title);
}
