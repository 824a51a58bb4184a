import { createTokenSource } from 'latchkey/client';

const { TENANT_ID = '', CONTENT_BASE_URL = '', TOKEN_REFRESH_ARN } = process.env;

const source = createTokenSource({ tokenRefresh: TOKEN_REFRESH_ARN });

/** Tells whether the content is published, with a read that may be repeated as often as needed. */
export async function handler({ contentId }: { contentId: string }): Promise<{ isPublished: boolean }> {
  const answer = await source.authorizedFetch(
    {
      environment: 'staging',
      platformRegion: 'global',
      tenantId: TENANT_ID,
      interface: 'content',
      scope: 'api/read',
    },
    `${CONTENT_BASE_URL}/contents?statuses=published`,
  );
  if (!answer.ok) throw new Error(`the platform answered ${answer.status}`);
  const contents = (await answer.json()) as { id: string }[];
  return { isPublished: contents.some(({ id }) => id === contentId) };
}
