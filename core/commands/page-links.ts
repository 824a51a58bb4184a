/** Links must be absolute: the package does not contain the pages, and a mail cannot resolve a path. */
const PAGES = 'https://github.com/latchkey-toolkit/latchkey/blob/main/docs/';

/** Replaces each path of a page, such as `docs/runbook/alarms.md#dead-letters`, by its URL. */
export function withPageLinks(text: string): string {
  return text.replaceAll(/(?<![\w/])docs\/(?=[\w/-]+\.md)/g, PAGES);
}
