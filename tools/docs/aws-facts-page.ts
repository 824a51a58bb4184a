import { type Question } from '../../packages/aws-proof/src/question';
import { tableLines } from './markdown-table';

const INTRODUCTION = `# What Latchkey asks of AWS

[\`latchkey prove\`](prove.md) does the main job in an AWS account, and asks what AWS's documents leave open and a promise of Latchkey
depends on. \`npm run test:journeys\` asks the laptop system the same; nobody has asked AWS yet. \`slow\` marks what takes more than five minutes.

\`npm run docs\` generates this page from \`packages/aws-proof/src/questions/\`; do not edit it.
`;

/** `docs/aws-facts.md`. @param bySubject rows by their heading */
export function awsFactsPage(bySubject: Readonly<Record<string, readonly Question[]>>): string {
  const sections = Object.entries(bySubject).map(([title, rows]) => `## ${title}\n\n${tableOf(rows)}\n`);
  return [INTRODUCTION, ...sections].join('\n');
}

function tableOf(questions: readonly Question[]): string {
  const rows = questions.map(({ id, slow, subject, reliedOn, pages, promise }) => [
    `\`${id}\`${slow === true ? ', slow' : ''}`,
    subject,
    [reliedOn, ...pages.map((address, index) => `[[${index + 1}]](${address})`)].join(' '),
    promise,
  ]);
  return tableLines(['Id', 'Question', 'Latchkey relies on', 'The promise'], rows).join('\n');
}
