import { createTokenSource, type TokenKey } from 'latchkey/client';

const { TENANT_ID = '', CONTENT_BASE_URL = '', TOKEN_REFRESH_ARN } = process.env;

const source = createTokenSource({ tokenRefresh: TOKEN_REFRESH_ARN });
const key: TokenKey = {
  environment: 'staging',
  platformRegion: 'global',
  tenantId: TENANT_ID,
  interface: 'content',
  scope: 'api/read',
};

/** Prints the ids of all archived contents, one a line. */
async function main(): Promise<void> {
  const answer = await source.authorizedFetch(key, `${CONTENT_BASE_URL}/contents?statuses=archived`);
  if (!answer.ok) throw new Error(`the platform answered ${answer.status}`);
  for (const { id } of (await answer.json()) as { id: string }[]) console.log(id);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
