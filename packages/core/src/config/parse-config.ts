import { InvalidOptionError } from '../errors/invalid-option-error.ts'
import { type Config, configSchema } from './config-schema.ts'
import { parseOptions } from './parse-options.ts'
import { readYaml } from './read-yaml.ts'
import { describeUnknownKey } from './unknown-key.ts'

export interface ParseConfigOptions {
  /** Names of engines that may have a block of their own. Default: none. */
  readonly engines?: readonly string[]
  /** What errors call the file. Default `config.yaml`. */
  readonly fileName?: string
}

/**
 * Reads the text of a `config.yaml`. An empty text is the default configuration, a key without a value its default.
 *
 * @throws InvalidOptionError that names the path, or the line for text that is not YAML, and what would be right.
 */
export function parseConfig(text: string, options: ParseConfigOptions = {}): Config {
  const { engines: names = [], fileName = 'config.yaml' } = options
  const { content } = readYaml(text, { fileName })
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
