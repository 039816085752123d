import { basename, dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { InvalidEngineError } from '../errors/errors.ts'
import { isPackageName } from './config/package-name.ts'
import { type Candidate, type EntryFacts, unavailable } from './discovery-types.ts'
import { assertApiVersion, type EngineManifest } from './engine-manifest.ts'
import { importModule } from './import-module.ts'
import { errorCode, errorLine, oneLine } from './one-line.ts'
import { findEntryFile, readPackageJson } from './plugin-files.ts'

/**
 * Imports the module of an engine.
 *
 * @param installIn the folder in which what it needs would be installed.
 * @throws InvalidEngineError with what it threw while loading; for a missing package, what to install and where; for
 * a module that a `package.json` declares to be CommonJS, what to change.
 */
async function importEngine(file: string, installIn: string): Promise<unknown> {
  try {
    return await importModule(pathToFileURL(file).href)
  } catch (error) {
    const text = errorLine(error)
    const remedy = (await isDeclaredCommonJs(error, file)) ? commonJsRemedy(file) : undefined
    const reason = missingModule(error, text, installIn) ?? `it fails while loading: ${remedy ?? text}`
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

/** Node's messages about ES module syntax in a file that it takes for CommonJS. */
const MODULE_SYNTAX = /outside a module|Unexpected token 'export'|await is only valid in async functions/

/** Node finds out by itself what a module is, unless the nearest `package.json` says so: `npm init` writes that. */
async function isDeclaredCommonJs(error: unknown, file: string): Promise<boolean> {
  if (!(error instanceof SyntaxError) || !MODULE_SYNTAX.test(error.message)) return false
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const json = await readPackageJson(folder).catch(() => undefined)
    if (json !== undefined) return json.type === 'commonjs'
    if (dirname(folder) === folder) return false
  }
}

function commonJsRemedy(file: string): string {
  const name = basename(file).replace(/\.([jt]s)$/, '.m$1')
  return `the nearest package.json says "type": "commonjs"; put "type": "module" there, or call the file ${name}`
}

interface ModuleCandidateInput {
  readonly facts: EntryFacts
  readonly manifest: EngineManifest
  /** The plugin's folder, a real path. */
  readonly folder: string
  /** The folder in which packages that it misses would be installed. */
  readonly installIn: string
}

/** The candidate that a manifest describes, with a look at whether its module is there. */
export async function moduleCandidate(input: ModuleCandidateInput): Promise<Candidate> {
  const { folder, installIn } = input
  const { name, version, description, apiVersion, entry } = input.manifest
  const facts: EntryFacts = {
    ...input.facts,
    name,
    apiVersion,
    ...(version !== undefined && { version: oneLine(version) }),
    ...(description !== undefined && { description: oneLine(description) }),
  }
  try {
    assertApiVersion(apiVersion)
    const file = await findEntryFile(folder, entry)
    return { entry: { ...facts, available: true }, claim: name, load: () => importEngine(file, installIn) }
  } catch (error) {
    return unavailable(facts, error, name)
  }
}
