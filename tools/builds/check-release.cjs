/**
 * Runs in the workflow of a release, and exits with 1 if a tag names another version than `package.json`, or if that names
 * another repository: npm then accepts no proof of where the package was built, but only says so when all else is done.
 * @see https://github.com/npm/cli/issues/8036
 */
const { readFileSync } = require('node:fs');

const { GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: repository } = process.env;
const { version, repository: stated } = JSON.parse(readFileSync('package.json', 'utf8'));
const url = stated?.url ?? stated ?? 'nothing';
const wanted = `https://github.com/${repository}`;

function reject(text) {
  console.error(text);
  process.exitCode = 1;
}

if (tag !== `v${version}`) reject(`tag: found ${tag}; allowed: v${version}`);
if (url.replace(/^git\+/, '').replace(/\.git$/, '') !== wanted) {
  reject(`package.json: repository: found ${url}; allowed: git+${wanted}.git`);
}
