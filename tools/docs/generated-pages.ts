import { format } from 'prettier';

import { issuerProfileJsonSchema } from '../../lib/options/issuer-profile-settings';
import { configurationJsonSchema } from '../../lib/options/schema';
import { QUESTIONS_BY_SUBJECT } from '../../packages/aws-proof/src/questions/all';
import { currentPage, examine } from 'learning-platform-sandbox/testing/conformance-page';
import { alarmsPage } from './alarms-page';
import { API_PAGES } from './api-pages';
import { awsFactsPage } from './aws-facts-page';
import { configurationPage } from './configuration-page';
import { EVENT_SCHEMA_FILES, eventOpenApi } from './event-schemas';
import { helpPage } from './help-page';
import { issuersPage } from './issuers-page';
import { restoreApiPage, restoreOpenApi } from './restore-pages';
import { optionsInterface } from './options-interface';

/** A file that is generated from the code, fully or in part. */
export interface GeneratedPage {
  /** Path from the project's root. */
  readonly file: string;
  /** Generates the text. @param current the current text, whose handwritten parts are kept */
  text(current: string): string | Promise<string>;
}

/** Every file that `npm run docs` writes. Pages with measured results are not among them. */
export const GENERATED_PAGES: readonly GeneratedPage[] = [
  // The API pages read it.
  {
    file: 'lib/options/latchkey-options.ts',
    text: () => format(optionsInterface(), { parser: 'typescript', printWidth: 110, singleQuote: true }),
  },
  ...API_PAGES,
  { file: 'docs/alarms.md', text: alarmsPage },
  { file: 'config/issuer.schema.json', text: () => json(issuerProfileJsonSchema()) },
  { file: 'config/latchkey.schema.json', text: () => json(configurationJsonSchema()) },
  {
    file: 'docs/aws-facts.md',
    text: () => format(awsFactsPage(QUESTIONS_BY_SUBJECT), { parser: 'markdown', printWidth: 110 }),
  },
  {
    file: 'docs/command.md',
    text: (current) => `${current.split(/(?<=^## Every command\n)/m)[0]!}\n${helpPage()}\n`,
  },
  { file: 'docs/configuration.md', text: configurationPage },
  { file: 'docs/issuers.md', text: issuersPage },
  { file: 'docs/openapi.json', text: (current) => json(restoreOpenApi(current, 'platform')) },
  { file: 'docs/openapi-iam.json', text: (current) => json(restoreOpenApi(current, 'iam')) },
  { file: 'docs/restore-api.md', text: restoreApiPage },
  { file: 'docs/conformance.md', text: async () => currentPage(await examine()) },
  ...EVENT_SCHEMA_FILES.map(({ type, file }) => ({
    file,
    text: () => json(JSON.stringify(eventOpenApi(type))),
  })),
];

function json(text: string): Promise<string> {
  return format(text, { parser: 'json', printWidth: 110 });
}
