import type { StoreFormat } from '@palimpsest/sqlite-kit'
import { StoreError } from '../errors/store-error.ts'
import { foldText, gramText, scriptOf, wordText } from '../store-kit/fold-text.ts'
import { MIGRATIONS } from './schema.ts'

/** The files of this package. */
export const STORE_FORMAT: StoreFormat = {
  title: 'a store of LCM',
  packageName: '@palimpsest/lcm',
  /** "LCMs" in ASCII. */
  applicationId: 0x4c434d73,
  migrations: MIGRATIONS,
  addFunctions(database) {
    const pure = { deterministic: true, directOnly: false } as const
    database.function('lcm_fold', pure, (text) => foldText(String(text)))
    database.function('lcm_words', pure, (text) => wordText(String(text)))
    database.function('lcm_grams', pure, (text) => gramText(String(text)))
    database.function('lcm_script', pure, (text) => scriptOf(String(text)))
  },
  error: (code, message, options) => new StoreError(code, message, options),
}
