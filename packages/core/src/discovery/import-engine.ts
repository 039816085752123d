import { pathToFileURL } from 'node:url'
import { isPackageName } from '../config/package-name.ts'
import { InvalidEngineError } from '../errors/invalid-engine-error.ts'
import { errorCode } from './error-code.ts'
import { importModule } from './import-module.ts'
import { errorLine } from './one-line.ts'

/**
 * Imports the module of an engine.
 *
 * @param installIn the folder in which what it needs would be installed.
 * @throws InvalidEngineError with what it threw while loading; for a missing package, what to install and where.
 */
export async function importEngine(file: string, installIn: string): Promise<unknown> {
  try {
    return await importModule(pathToFileURL(file).href)
  } catch (error) {
    const text = errorLine(error)
    const reason = missingModule(error, text, installIn) ?? `it fails while loading: ${text}`
    throw new InvalidEngineError(reason, { cause: error })
  }
}

/** Node says what is missing in the text of the error alone. */
function missingModule(error: unknown, text: string, installIn: string): string | undefined {
  if (!['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(errorCode(error))) return undefined
  const specifier = /'([^']+)'/.exec(text)?.[1]
  if (specifier === undefined) return undefined
  const name = /^(?:@[^/]*\/)?[^/]*/.exec(specifier)?.[0]
  return isPackageName(name)
    ? `it needs the package "${name}", which is not installed; install it in ${installIn}`
    : `it imports "${specifier}", which does not exist`
}
