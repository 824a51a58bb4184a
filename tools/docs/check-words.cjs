/**
 * `npm run words`: names each place where a text, a comment or a page has a word that we do not use, with the one to use
 * instead, and exits with 1 if there is any. The list is short on purpose: only what is wrong wherever it stands.
 */
const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');

/** American spelling, as AWS writes. */
const SPELLING = {
  analyse: 'analyze',
  artefact: 'artifact',
  behaviour: 'behavior',
  '\\bcentre': 'center',
  colour: 'color',
  favour: 'favor',
  grey: 'gray',
  honour: 'honor',
  initialise: 'initialize',
  licence: 'license',
  organisation: 'organization',
  recognise: 'recognize',
  serialise: 'serialize',
};
/** What reads as translated. */
const PHRASES = {
  '(?:has|have) to be seen to': 'needs attention',
  'sees? to it': 'make sure',
  'at no moment': 'never',
  'for ever': 'forever',
  'goes off|gone off': 'goes into alarm, in alarm',
  'is told|are told': 'say who tells whom, or use: learns, is notified, is reported',
  lest: 'so that … not',
  'mend(?:s|ed|ing)?': 'fix',
  "of one's own": 'its own',
  oftener: 'more often',
  'rings?': 'goes into alarm, notifies',
  thereafter: 'then',
  'were it that': 'even if',
  'what lacks': 'what is missing',
  whilst: 'while',
  whoever: 'say who',
};

const files = execFileSync('git', ['ls-files', '--', ...process.argv.slice(2)], {
  encoding: 'utf8',
  maxBuffer: 1e8,
})
  .split('\n')
  .filter((file) => /\.(c?ts|[cm]?js|html|md|json|svg)$/.test(file))
  // Words of the platform and of npm, measured results, and this list.
  .filter(
    (file) =>
      !/specification\.md$|package-lock\.json$|mutation-testing\.json$|docs\/conformance\.md$|check-words\.(cjs|test\.ts)$/.test(
        file,
      ),
  );
const rules = [
  ...Object.entries(SPELLING).map(([word, use]) => [new RegExp(word, 'i'), use]),
  ...Object.entries(PHRASES).map(([phrase, use]) => [new RegExp(`\\b(?:${phrase})\\b`, 'i'), use]),
];

let count = 0;
for (const file of files) {
  const lines = readFileSync(file, 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    for (const [pattern, use] of rules) {
      const found = pattern.exec(line)?.[0];
      if (found === undefined) continue;
      count += 1;
      console.error(`${file}:${index + 1}: found "${found}"; use: ${use}`);
    }
  }
}
if (count > 0) process.exitCode = 1;
