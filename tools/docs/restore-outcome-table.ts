import { type RestoreAuth } from '../../contract/restore-operation';
import { type DocumentedAnswer, documentedAnswers } from './restore-answers';

const HEAD = ['Status', 'Code', 'Given by', 'When', 'Content modified?', 'What to do', 'Retry-After'];

/** Every response of the restore API as a Markdown table: one row per outcome and per response of API Gateway. */
export function outcomeTable(): string {
  const answers = answersOfBothModes();
  const rows = answers.map((answer) => [
    String(answer.status),
    answer.code === undefined ? '–' : `\`${answer.code}\``,
    giverOf(answer),
    answer.cause,
    modifiedOf(answer),
    answer.advice,
    retryAfterOf(answer),
  ]);
  return [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

type ModalAnswer = DocumentedAnswer & { onlyIn?: RestoreAuth };

function answersOfBothModes(): ModalAnswer[] {
  const key = (answer: DocumentedAnswer): string => JSON.stringify(answer);
  const platform = documentedAnswers('platform');
  const iam = documentedAnswers('iam');
  const [inPlatform, inIam] = [new Set(platform.map(key)), new Set(iam.map(key))];
  const all: ModalAnswer[] = [
    ...platform.map((answer) =>
      inIam.has(key(answer)) ? answer : { ...answer, onlyIn: 'platform' as const },
    ),
    ...iam
      .filter((answer) => !inPlatform.has(key(answer)))
      .map((answer) => ({ ...answer, onlyIn: 'iam' as const })),
  ];
  return all.sort((a, b) => a.status - b.status);
}

function giverOf({ by, name, onlyIn }: ModalAnswer): string {
  const mode = onlyIn === undefined ? '' : `, ${onlyIn} mode only`;
  return `${by}, \`${name}\`${mode}`;
}

function modifiedOf({ status, mayHaveChanged }: DocumentedAnswer): string {
  if (status === 200) return 'yes';
  return mayHaveChanged ? '**not known**' : 'no';
}

function retryAfterOf({ headers, retryAfterSec }: DocumentedAnswer): string {
  if (retryAfterSec !== undefined) return `${retryAfterSec} s`;
  return headers['Retry-After'] === undefined ? '–' : 'if the platform sends one, at most 60 s';
}
