import { type RestoreAuth } from '../../core/restore/restore-operation';
import { ADVICE, NOTHING_TO_DO } from './restore-answer-texts';
import { type DocumentedAnswer, documentedAnswers } from './restore-answers';

const HEAD = ['Status', 'Code', 'Given by', 'When', 'Content modified?', 'What to do', 'Retry-After'];

/** What the table says instead of the advice that most of its rows share. */
const ADVICE_IN_A_WORD: Readonly<Record<string, string>> = {
  [ADVICE.after_correction]: 'correct',
  [ADVICE.later]: 'later',
  [ADVICE.after_checking]: 'look',
  [ADVICE.no]: 'stop',
  [NOTHING_TO_DO]: '–',
};

/**
 * Every response of the restore API as a Markdown table: one row per outcome and per response of API Gateway. Before it, what
 * the words in its column "What to do" mean.
 */
export function outcomeTable(): string {
  const answers = answersOfBothModes();
  const rows = answers.map((answer) => [
    String(answer.status),
    answer.code === undefined ? '–' : `\`${answer.code}\``,
    giverOf(answer),
    answer.cause,
    modifiedOf(answer),
    ADVICE_IN_A_WORD[answer.advice] ?? answer.advice,
    retryAfterOf(answer),
  ]);
  const words = Object.entries(ADVICE_IN_A_WORD)
    .filter(([advice]) => advice !== NOTHING_TO_DO)
    .map(([advice, word]) => `- **${word}**: ${advice}`);
  const table = [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [...words, '', ...table].join('\n');
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
