/** The anchors of a page: those of its headings, as GitHub makes them, and its own. */
export function anchorsOf(text: string): string[] {
  const prose = text.replaceAll(/^( *)```[^]*?^\1```$/gm, '');
  const seen = new Map<string, number>();
  const own = [...prose.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!);
  const ofHeadings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => {
    const anchor = anchorOf(heading!);
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
  return [...ofHeadings, ...own];
}

export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[^\p{L}\p{N}_\s-]/gu, '')
    .replaceAll(' ', '-');
}

/** What a page links to inside the repository: `docs/alarms.md#metrics`, relative to the page's folder. */
export function linksOf(text: string): string[] {
  const prose = text.replaceAll(/^( *)```[^]*?^\1```$/gm, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^[a-z]+:/.test(link));
}
