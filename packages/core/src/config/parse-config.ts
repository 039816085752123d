import { isMap, parseDocument } from 'yaml'
import { InvalidOptionError } from '../errors/invalid-option-error.ts'
import { type Config, configSchema } from './config-schema.ts'
import { parseOptions } from './parse-options.ts'

export interface ParseConfigOptions {
  /** Names of engines that may have a block of their own. Default: none. */
  readonly engines?: readonly string[]
  /** What errors call the file. Default `config.yaml`. */
  readonly fileName?: string
}

/**
 * Reads the text of a `config.yaml`. An empty text is the default configuration.
 *
 * @throws InvalidOptionError that names the path, or the line for text that is not YAML, and what would be right.
 */
export function parseConfig(text: string, options: ParseConfigOptions = {}): Config {
  const { engines: names = [], fileName = 'config.yaml' } = options
  const document = parseDocument(text, { prettyErrors: true })
  const [error] = document.errors
  if (error !== undefined) {
    const line = error.linePos?.[0].line
    throw new InvalidOptionError(
      '',
      `${fileName}${line === undefined ? '' : ` line ${line}`}: ${firstLine(error.message)}`,
      { cause: error },
    )
  }
  if (document.contents !== null && !isMap(document.contents)) {
    throw new InvalidOptionError(
      '',
      `${fileName}: expected keys such as "context:" and "compression:" at the top`,
    )
  }
  const { known, engines } = separateEngines(toObject(document), names)
  return { ...parseOptions(configSchema, known, ''), engines }
}

function toObject(document: ReturnType<typeof parseDocument>): Record<string, unknown> {
  return (document.toJS({ maxAliasCount: 100 }) ?? {}) as Record<string, unknown>
}

function separateEngines(value: Record<string, unknown>, names: readonly string[]) {
  const known: Record<string, unknown> = {}
  const engines: Record<string, Record<string, unknown>> = {}
  for (const [key, block] of Object.entries(value)) {
    if (!names.includes(key)) {
      // An empty block (`compression:` with nothing below it) means its defaults.
      known[key] = block ?? {}
    } else if (typeof block !== 'object' || Array.isArray(block)) {
      throw new InvalidOptionError(key, `${key}: expected the options of the engine as keys and values`)
    } else {
      engines[key] = (block ?? {}) as Record<string, unknown>
    }
  }
  return { known, engines }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text
}
