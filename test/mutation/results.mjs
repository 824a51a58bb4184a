import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { SUBJECTS } from './subjects.mjs';
import { TEXT } from './texts-ignorer.mjs';

const ROOT = join(import.meta.dirname, '../..');
const RESULTS = join(ROOT, 'docs/mutation-testing.json');
const PAGE = join(ROOT, 'docs/mutation-testing.md');
const START_OF_RESULTS = '<!-- Written by npm run test:mutation -- FOLDER --keep -->';

const KILLED = ['Killed', 'Timeout'];
const SURVIVED = ['Survived', 'NoCoverage'];

/** Killed mutants, in percent of those that count: not ignored, and able to run. */
export function scoreOf(mutants) {
  return scoreFrom(countOf(mutants, KILLED), countOf(mutants, SURVIVED));
}

/**
 * Saves a result as the newest of its folder, and rewrites the page.
 * @param seconds duration of a whole run; undefined for a partial run, which keeps the recorded duration
 */
export function keepResult(subject, mutants, seconds) {
  const results = JSON.parse(readFileSync(RESULTS, 'utf8'));
  results[subject] = {
    killed: countOf(mutants, KILLED),
    survived: mutants.filter(({ status }) => SURVIVED.includes(status)).map(placeOf),
    decisions: mutants
      .filter(({ status, statusReason }) => status === 'Ignored' && statusReason !== TEXT)
      .map((mutant) => ({ ...placeOf(mutant), reason: mutant.statusReason })),
    texts: mutants.filter(({ statusReason }) => statusReason === TEXT).length,
    seconds: seconds ?? results[subject]?.seconds,
  };
  const inOrder = Object.keys(SUBJECTS).filter((name) => results[name] !== undefined);
  const kept = Object.fromEntries(inOrder.map((name) => [name, results[name]]));
  writeFileSync(RESULTS, `${JSON.stringify(kept, null, 2)}\n`);
  writeFileSync(PAGE, pageOf(readFileSync(PAGE, 'utf8'), kept));
}

/** The page with new results. */
function pageOf(page, results) {
  const introduction = page.slice(0, page.indexOf(START_OF_RESULTS));
  const rows = Object.entries(results).map(([subject, { killed, survived, decisions, texts, seconds }]) => {
    const { wanted, files } = SUBJECTS[subject];
    const examined = files ? `sample: ${files.map((file) => `\`${file}\``).join(', ')}` : 'all';
    const score = `${scoreFrom(killed, survived.length).toFixed(1)} %`;
    const cells = [`\`${subject}\``, examined, killed, survived.length, decisions.length, texts, score];
    return `| ${[...cells, wanted ? `${wanted} %` : '', `${seconds} s`].join(' | ')} |`;
  });
  const table = [
    '| Folder | Files | Killed | Survived | Decisions | Texts | Score | Wanted | Whole run |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ];
  const lists = Object.entries(results).flatMap(([subject, { survived, decisions }]) => [
    ...sectionOf(`Survived in ${subject}`, survived, ({ place, mutator }) => `- ${place}: ${mutator}`),
    ...sectionOf(
      `Decisions in ${subject}`,
      decisions,
      ({ place, mutator, reason }) => `- ${place}: ${mutator}. ${reason}`,
    ),
  ]);
  return `${introduction}${START_OF_RESULTS}\n\n${[...table, ...lists].join('\n')}\n`;
}

function sectionOf(title, mutants, lineOf) {
  return mutants.length === 0 ? [] : ['', `## ${title}`, '', ...mutants.map(lineOf)];
}

/** A mutant's location and mutator. The run's output shows the code, which would soon be outdated here. */
function placeOf({ fileName, location, mutatorName }) {
  return { place: `${relative(ROOT, fileName)}:${location.start.line}`, mutator: mutatorName };
}

function countOf(mutants, statuses) {
  return mutants.filter(({ status }) => statuses.includes(status)).length;
}

function scoreFrom(killed, survived) {
  return killed + survived === 0 ? 100 : (100 * killed) / (killed + survived);
}
