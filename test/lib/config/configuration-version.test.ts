import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { CONFIGURATION_VERSION, type Migration, migrated } from '../../../lib/config/configuration-version';
import { loadConfiguration, loadNoting, parseConfiguration } from '../../../lib/config/load';
import { configuration, written } from '../../support/lib/configuration';
import { faultsOf } from '../../support/lib/faults';
import { temporaryFolder } from '../../support/lib/synthesis';

const SAVED = join(__dirname, '../../upgrade');
const savedOf = (version: number) => join(SAVED, `configuration-${version}.json`);
const valueIn = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;

/** Renames a field, and removes another. */
const RENAMING: Migration = ({ former, ...rest }) => ({
  ...rest,
  removed: undefined,
  latter: former,
});

describe('the version of a configuration', () => {
  it('is optional, and every known one is read', () => {
    expect(configuration()).toEqual(parseConfiguration({ ...written(), version: 0 }, 'file'));
    expect(configuration()).toHaveProperty('version', CONFIGURATION_VERSION);
    expect(parseConfiguration({ ...written(), version: CONFIGURATION_VERSION }, 'file')).toEqual(
      configuration(),
    );
  });

  it('that is newer than known is the only fault, and says what to do', () => {
    expect(faultsOf({ ...written(), version: CONFIGURATION_VERSION + 1, unheardOf: true })).toEqual([
      'version: found 2; allowed: a whole number from 0 to 1. A newer Latchkey wrote this file: update Latchkey',
    ]);
  });

  it.each(['1', -1, 1.5, null])('%j is a fault beside others', (version) => {
    expect(faultsOf({ ...written(), version, unheardOf: true })).toEqual([
      `version: found ${JSON.stringify(version)}; allowed: a whole number from 0 to 1`,
      expect.stringContaining('unheardOf: '),
    ]);
  });
});

describe('an older configuration', () => {
  const file = join(temporaryFolder(), 'older.json');

  it('is loaded with one note', () => {
    const notes: unknown[] = [];
    writeFileSync(file, JSON.stringify({ ...written(), version: undefined }));

    expect(loadNoting(file, (older) => notes.push(older))).toEqual(configuration());
    expect(notes).toEqual([{ file, from: 0, to: CONFIGURATION_VERSION }]);
  });

  it('is noted on standard error by default, with the command', () => {
    const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      loadConfiguration(file);
      loadConfiguration(join(SAVED, '../../config/local.json'));

      expect(write.mock.calls).toEqual([
        [
          `! ${file} has the form of version 0; the newest is 1. To upgrade it: npx latchkey init --upgrade --config ${file}\n`,
        ],
      ]);
    } finally {
      write.mockRestore();
    }
  });
});

/** What a saved file of each version means in the newest form. A saved file never changes. */
const MEANING: Record<number, (saved: Record<string, unknown>) => object> = {
  0: (saved) => ({ ...saved, version: 1 }),
};

describe('the migrations', () => {
  it.each(Array.from({ length: CONFIGURATION_VERSION }, (_, version) => version))(
    'read the saved file of version %i as it was meant',
    (version) => {
      const saved = valueIn(savedOf(version));

      const { value, from, to } = migrated(saved);

      expect([from, to]).toEqual([version, CONFIGURATION_VERSION]);
      expect(value).toEqual(MEANING[version]!(saved));
      expect(parseConfiguration(value, 'file').deployments).toHaveLength(4);
    },
  );

  it('run from the version of the file on, in order, and name the newest first', () => {
    const adding: Migration = ({ latter, ...rest }) => ({ ...rest, list: [latter] });
    const migrations = [RENAMING, adding];

    const ofZero = migrated({ $schema: 's', former: 1, removed: 2, kept: 3 }, migrations);
    const ofOne = migrated({ kept: 3, version: 1, latter: 1 }, migrations);

    expect(JSON.stringify(ofZero)).toBe(
      '{"value":{"$schema":"s","version":2,"kept":3,"list":[1]},"from":0,"to":2}',
    );
    expect(JSON.stringify(ofOne)).toBe('{"value":{"version":2,"kept":3,"list":[1]},"from":1,"to":2}');
    expect(migrated(ofOne.value, migrations)).toEqual({ ...ofOne, from: 2 });
  });

  it.each([null, 1, 'text', [], { version: 'x' }, { version: 9 }])('leave %j as it is', (value) => {
    expect(migrated(value).value).toBe(value);
  });
});
