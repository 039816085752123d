import { type Document, isMap, isScalar, parseDocument, type YAMLError } from 'yaml'
import { errorText } from '../errors/error-text.ts'
import { InvalidOptionError } from '../errors/invalid-option-error.ts'
import { type Config, configSchema } from './config-schema.ts'
import { parseOptions } from './parse-options.ts'
import { describeUnknownKey } from './unknown-key.ts'

export interface ParseConfigOptions {
  /** Names of engines that may have a block of their own. Default: none. */
  readonly engines?: readonly string[]
  /** What errors call the file. Default `config.yaml`. */
  readonly fileName?: string
}

/** Aliases that a configuration may resolve to; more is an attack on the memory. */
const MAX_ALIASES = 100

type Block = Readonly<Record<string, unknown>>

/**
 * Reads the text of a `config.yaml`. An empty text is the default configuration, a key without a value its default.
 *
 * @throws InvalidOptionError that names the path, or the line for text that is not YAML, and what would be right.
 */
export function parseConfig(text: string, options: ParseConfigOptions = {}): Config {
  const { engines: names = [], fileName = 'config.yaml' } = options
  const content = readYaml(text, fileName)
  const sections = Object.keys(configSchema.shape)
  const engines: [string, Record<string, unknown>][] = []
  const known: [string, unknown][] = []
  for (const [key, block] of Object.entries(content)) {
    if (sections.includes(key)) known.push([key, withoutNulls(block) ?? {}])
    else if (names.includes(key)) engines.push([key, engineBlock(key, block)])
    else throw new InvalidOptionError(key, `${key}: ${describeUnknownKey(key, [...sections, ...names])}`)
  }
  return {
    ...parseOptions(configSchema, Object.fromEntries(known), ''),
    engines: Object.fromEntries(engines),
  }
}

function readYaml(text: string, fileName: string): Block {
  const document = parseDocument(text)
  const [error] = document.errors
  if (error !== undefined) {
    const line = error.linePos?.[0].line
    const place = line === undefined ? fileName : `${fileName} line ${line}`
    throw new InvalidOptionError('', `${place}: ${yamlFault(error)}`, { cause: error })
  }
  const { contents } = document
  if (contents === null || (isScalar(contents) && contents.value === null)) return {}
  if (!isMap(contents)) {
    throw new InvalidOptionError(
      '',
      `${fileName}: expected keys such as "context:" and "compression:" at the top`,
    )
  }
  return toObject(document, fileName)
}

function yamlFault({ code, message }: YAMLError): string {
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here; keep one, without lines of "---"'
  const [reason = message] = message.split(/ at line \d+, column \d+|\n/, 1)
  return reason
}

function toObject(document: Document, fileName: string): Block {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES }) as Block
  } catch (error) {
    throw new InvalidOptionError('', `${fileName}: ${errorText(error)}; write the values out`, {
      cause: error,
    })
  }
}

/** A key with nothing behind it is null in YAML, and means its default. The key stays, so that a typo is found. */
function withoutNulls(value: unknown): unknown {
  if (value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutNulls(member)]))
}

function engineBlock(key: string, block: unknown): Record<string, unknown> {
  const options = withoutNulls(block) ?? {}
  if (typeof options === 'object' && !Array.isArray(options)) return options as Record<string, unknown>
  throw new InvalidOptionError(key, `${key}: expected the options of the engine as keys and values`)
}
