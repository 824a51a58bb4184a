/** The pages are in the repository, not in the package, and a mail has no folder. */
const PAGES = 'https://github.com/latchkey-toolkit/latchkey/blob/main/docs/';

/** Turns each path of a page, such as `docs/runbook/alarms.md#dead-letters`, into its address. */
export function withPageLinks(text: string): string {
  return text.replaceAll(/(?<![\w/])docs\/(?=[\w/-]+\.md)/g, PAGES);
}
