import { readdirSync } from 'node:fs';
import { basename } from 'node:path';

import {
  ASSETS,
  ATTACKERS,
  BOUNDARIES,
  type TestTitles,
  type Threat,
  ZONES,
} from '../../test/threats/list/threat';
import { THREATS } from '../../test/threats/threats';

const DECISIONS = 'docs/decisions';

/** `docs/threat-model.md`: assets, attackers, trust boundaries, and each threat with its control and proof. */
export function threatModelPage(): string {
  return `# The threat model

What an attacker could want of Latchkey, how each abuse is prevented, and which test shows it. Every threat names tests that attempt the
abuse, and a hole: a test in which the control is missing or the leak is there, and which passes only if the proof notices
([decision 17](decisions/0017-holes-and-mutants.md)).

\`npm run docs\` generates this page from [the list of threats](../test/threats/threats.ts); do not edit it. \`npm test\` fails if a test that
is named here does not exist. \`npm run test:threats\` runs them all, and fails if one of them does not pass.
To report a weakness: [SECURITY.md](../SECURITY.md).

## Assets

${list(ASSETS)}

## Attackers

${list(ATTACKERS)}

## Trust boundaries

\`\`\`mermaid
${picture()}
\`\`\`

## Out of scope

- **Administrators of the AWS account**, and principals that deploy to it. They can change the code of a function, a policy or a key, and so read
  every secret. The same holds for AWS itself.
- **A hostile operator of the platform.** It issues every credential and holds every content. Latchkey keeps a broken or impersonated platform
  from reaching secrets that are not its own, and from stopping other tenants.
- **What a service does with a token** that it may read, and what a caller does with an API key.
- **Other processes of the same user** on an operator's or developer's machine, and its administrator: they can read the memory of a command.
- **Attacks by volume on AWS.** Throttles, quotas and a web ACL limit what a flood costs and reaches; they do not keep an API reachable under
  any load.
- **The laptop system as a server.** It listens on loopback, for development, with credentials of the sandbox alone.

## Threats

| | Threat | Boundary |
| --- | --- | --- |
${THREATS.map((threat) => `| ${link(threat)} | ${threat.name} | ${BOUNDARIES[threat.boundary].name} |`).join('\n')}

${THREATS.map(section).join('\n\n')}
`;
}

function list(meanings: Readonly<Record<string, string>>): string {
  return Object.entries(meanings)
    .map(([name, meaning]) => `- **${name}**: ${meaning}`)
    .join('\n');
}

/** A flow chart of Mermaid: an arrow over each boundary, with its threats. */
function picture(): string {
  const zones = Object.entries(ZONES).flatMap(([name, parts], index) => [
    `  subgraph zone${index}["${name}"]`,
    ...Object.entries(parts).map(([id, text]) => `    ${id}["${text}"]`),
    '  end',
  ]);
  const crossings = Object.entries(BOUNDARIES).map(([id, { from, to }]) => {
    const ids = THREATS.filter(({ boundary }) => boundary === id).map((threat) => threat.id);
    return `  ${from} --${ids.length === 0 ? '>' : `>|"${ids.join(' ')}"|`} ${to}`;
  });
  const inside = ['  restoreApi --> functions', '  functions --> secrets'];
  return ['flowchart TB', ...zones, ...crossings, ...inside].join('\n');
}

/** A link to a threat's section. */
function link({ id, name }: Threat): string {
  const words = `${id}: ${name}`.toLowerCase().replaceAll(/[^\p{L}\d\s-]/gu, '');
  return `[${id}](#${words.replaceAll(' ', '-')})`;
}

function section(threat: Threat): string {
  const { id, name, assets, attackers, boundary, decisions = [] } = threat;
  return `### ${id}: ${name}

Assets: ${assets.join(', ')}. Attackers: ${attackers.join(', ')}. Boundary: ${BOUNDARIES[boundary].name}.

**Abuse.** ${threat.abuse}

**Control.** ${threat.control}${decisions.length === 0 ? '' : ` Why: ${decisions.map(decision).join(', ')}.`}

**Proof.**

${tests(threat.proofs)}

**Hole.**

${tests(threat.holes)}

**What remains.** ${threat.remains}`;
}

function tests(titles: TestTitles): string {
  return Object.entries(titles)
    .map(([file, all]) => `- [${basename(file)}](../${file}): ${inGroups(all).join('; ')}`)
    .join('\n');
}

/** Titles as text: those of a `describe` once, followed by its tests. */
function inGroups(titles: readonly string[]): string[] {
  const groups = new Map<string, string[]>();
  for (const title of titles) {
    const parts = title.split(' › ').map(readable);
    const group = parts.slice(0, -1).join(' › ');
    groups.set(group, [...(groups.get(group) ?? []), parts.at(-1)!]);
  }
  return [...groups].map(([group, all]) => `${group === '' ? '' : `*${group}*: `}${all.join('; ')}`);
}

/** A title with an ellipsis for each placeholder, and without Markdown. */
function readable(title: string): string {
  const text = title.replaceAll(/%(?:\.\d+)?[a-zA-Z#$]|\$[a-zA-Z_][\w.]*/g, '…');
  return text.replaceAll(/[\\*_[\]<>]/g, '\\$&');
}

function decision(number: number): string {
  const file = readdirSync(DECISIONS).find((name) => Number(name.slice(0, 4)) === number);
  if (file === undefined) throw new Error(`${DECISIONS} has no page ${number}`);
  return `[decision ${number}](decisions/${file})`;
}
