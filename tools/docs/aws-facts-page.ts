import { type Group, GROUPS, type Probe } from '../../probes/probe';
import { placeName, type ProveResult } from '../../prove/results';

const TITLES: Readonly<Record<Group, string>> = {
  store: 'Secrets and their versions',
  rotation: 'Rotation',
  gateway: 'API Gateway',
  alarms: 'Metrics and alarms',
  functions: 'Functions and schedules',
  journeys: 'Latchkey as a whole',
};

const INTRODUCTION = `# What Latchkey relies on AWS for

Each row is a fact that Latchkey relies on, with a probe that looks for it. [\`latchkey prove\`](prove.md) runs the probes in an AWS
account, and \`npm test\` against the laptop system, which does what is relied on. The column "Seen on AWS" comes from results of
\`latchkey prove\` alone, with the latest in each partition; \`never\` means that nobody has looked yet.

\`npm run docs\` generates this page from \`probes/\`; do not edit it. \`slow\` marks probes that run with \`--slow\` only.
`;

/**
 * `docs/aws-facts.md`.
 * @param results of runs, in any order
 */
export function awsFactsPage(probes: readonly Probe[], results: readonly ProveResult[]): string {
  const onAws = results
    .filter(({ place }) => place.kind === 'aws')
    .sort((a, b) => (a.date < b.date ? 1 : -1));
  const sections = GROUPS.map((group) => [group, probes.filter((probe) => probe.group === group)] as const)
    .filter(([, ofGroup]) => ofGroup.length > 0)
    .map(([group, ofGroup]) => `## ${TITLES[group]}\n\n${tableOf(ofGroup, onAws)}\n`);
  return [INTRODUCTION, ...sections].join('\n');
}

function tableOf(probes: readonly Probe[], onAws: readonly ProveResult[]): string {
  const rows = probes.map((probe) => [
    probe.subject,
    [probe.reliedOn, ...sourcesOf(probe)].join(' '),
    probe.otherwise,
    seenText(probe.id, onAws),
    `[\`${probe.id}\`](../probes/${probe.group}/${probe.id}.ts)${probe.slow === true ? ', slow' : ''}`,
  ]);
  return [
    ['Subject', 'Latchkey relies on', 'If not', 'Seen on AWS', 'Probe'],
    ['---', '---', '---', '---', '---'],
    ...rows,
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function sourcesOf({ sources = [] }: Probe): string[] {
  return sources.map((address, index) => `[[${index + 1}]](${address})`);
}

/** The latest look in each partition. @param onAws the latest result first */
function seenText(id: string, onAws: readonly ProveResult[]): string {
  const looks = new Map<string, string>();
  for (const { place, date, probes } of onAws) {
    const look = probes.find((probe) => probe.id === id && probe.verdict !== 'not run');
    if (place.kind !== 'aws' || look === undefined || looks.has(place.partition)) continue;
    const { verdict, seen } = look;
    const shown = verdict === 'as relied on' ? verdict : `**differs**: ${seen.replaceAll('|', '\\|')}`;
    looks.set(place.partition, `${shown}, ${placeName(place)}, ${date.slice(0, 10)}`);
  }
  return looks.size === 0 ? 'never' : [...looks.values()].join('; ');
}
