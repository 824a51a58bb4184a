import { type TokenKey, type TokenSource } from 'latchkey/client';

/** The titles of a tenant's contents. Asks once more if the platform is unavailable. The code under test. */
export async function titlesOf(
  source: TokenSource,
  key: TokenKey,
  contentBaseUrl: string,
): Promise<string[]> {
  const ask = () => source.authorizedFetch(key, `${contentBaseUrl}/contents`);
  const first = await ask();
  const answer = first.status === 503 ? await ask() : first;
  if (!answer.ok) throw new Error(`the platform answered ${answer.status}`);
  return ((await answer.json()) as { title: string }[]).map(({ title }) => title);
}
