/** Links are absolute, because the package has no pages, and an alarm's mail no folder to look in. */
const PAGES = 'https://github.com/latchkey-toolkit/latchkey/blob/main/docs/';

/** Replaces each path of a page, such as `docs/runbook/alarms.md#dead-letters`, by its URL. */
export function withPageLinks(text: string): string {
  return text.replaceAll(/(?<![\w/])docs\/(?=[\w/-]+\.md)/g, PAGES);
}
